package io.verbena.it.demo;

import io.verbena.it.cluster.AppResult;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Optional;

/** Prints what came out of the two runs. */
final class Verdict {
  private static final double MILLIS_PER_SECOND = 1e3;

  private final PrintWriter out;

  Verdict(PrintWriter out) {
    this.out = out;
  }

  /** The result of the run on Verbena and what the shuffle did; whether it told the latter. */
  boolean printFirst(AppResult result) {
    out.println();
    out.println(result.stdout());
    out.println("What the shuffle did");
    out.println();
    Optional<ShuffleReport> report = ShuffleReport.lastIn(result.log());
    if (report.isEmpty()) {
      out.println("The driver has logged no shuffle report: was the shuffle Verbena's?");
    } else {
      out.println(ReportTable.draw(report.get()));
    }
    out.flush();
    return report.isPresent();
  }

  /** Whether both files of results are there and equal. */
  boolean printEqual(Path onVerbena, Path onSpark) throws IOException {
    if (Files.notExists(onVerbena) || Files.notExists(onSpark)) {
      out.println("Results: the application has written none");
      return false;
    }
    long mismatch = Files.mismatch(onVerbena, onSpark);
    out.println();
    out.println(
        mismatch < 0
            ? "Results: equal, %,d bytes byte for byte".formatted(Files.size(onSpark))
            : "Results: DIFFERENT from byte %,d on".formatted(mismatch));
    return mismatch < 0;
  }

  /** How long both took; not to be compared where the first ran in virtual machines. */
  void printTimes(AppResult onVerbena, AppResult onSpark, boolean inMachines) {
    if (inMachines) {
      out.println("Time in the virtual machines, whose processors are emulated, with their start:");
      print("Verbena", onVerbena);
      return;
    }
    out.println("Time from submit to end, one run each, JVM starts included:");
    print("Verbena", onVerbena);
    print("Spark's own shuffle", onSpark);
  }

  private void print(String name, AppResult result) {
    out.printf(
        Locale.ROOT, "  %-19s  %6.1f s%n", name, result.wall().toMillis() / MILLIS_PER_SECOND);
  }
}
