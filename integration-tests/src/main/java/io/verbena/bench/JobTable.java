package io.verbena.bench;

import java.io.PrintStream;
import java.util.Locale;
import java.util.Map;

/** The job benchmark's figures for people. */
final class JobTable {
  private static final double MIB = 1L << 20;
  private static final String FORMAT = "%-16s %7s %-14s %7s %15s   %-22s %7s %7s %6s %7s %7s %8s%n";

  private final PrintStream out;
  private boolean headed;

  JobTable(PrintStream out) {
    this.out = out;
  }

  void print(JobRow row) {
    if (!headed) {
      out.println();
      out.printf(
          FORMAT,
          "load",
          "reduces",
          "side",
          "seconds",
          "(min to max)",
          "Verbena takes times",
          "tasks",
          "exec",
          "GC",
          "write",
          "wait",
          "shuffle");
      out.printf(
          FORMAT,
          "",
          "",
          "",
          "median",
          "",
          "median (min to max)",
          "s",
          "CPU s",
          "s",
          "s",
          "s",
          "MiB");
      headed = true;
    }
    for (Map.Entry<JobSide, JobCell> entry : row.sides.entrySet()) {
      line(row, entry.getKey(), entry.getValue());
    }
    if (row.sides.containsKey(JobSide.VERBENA)) {
      memory(row, row.cell(JobSide.VERBENA));
    }
    out.flush();
  }

  private void line(JobRow row, JobSide side, JobCell cell) {
    double[] seconds = cell.seconds();
    out.printf(
        FORMAT,
        row.load.title(),
        row.reduces,
        side.title(),
        number(2, Stats.median(seconds)),
        "(" + number(2, Stats.min(seconds)) + " to " + number(2, Stats.max(seconds)) + ")",
        ratio(row, side),
        number(2, cell.median(m -> m.run().tasks().taskSeconds())),
        number(2, cell.median(JobDriver.Measured::executorCpuSeconds)),
        number(2, cell.median(m -> m.run().tasks().gcSeconds())),
        number(2, cell.median(m -> m.run().tasks().shuffleWriteSeconds())),
        number(2, cell.median(m -> m.run().tasks().fetchWaitSeconds())),
        number(1, cell.median(m -> m.run().tasks().shuffleBytesWritten() / MIB)));
  }

  /** Memory that the job used on this shuffle: of both executors, before it was removed. */
  private void memory(JobRow row, JobCell cell) {
    double data = cell.median(m -> figure(m, "pool.bytes") - figure(m, "pool.tableBytes"));
    double tables = cell.median(m -> figure(m, "pool.tableBytes"));
    out.printf(
        Locale.ROOT,
        "%-16s %7s Verbena's pools: %.1f MiB for data, tables %.2f MiB (%.1f bytes a block),"
            + " regions %.0f MiB, runs on disk %.0f%n",
        "",
        "",
        data / MIB,
        tables / MIB,
        tables / ((double) JobLoad.MAPS * row.reduces),
        cell.median(m -> figure(m, "pool.reserved")) / MIB,
        cell.median(m -> figure(m, "runs.onDisk")));
  }

  private static double figure(JobDriver.Measured measured, String name) {
    return measured.run().executors().stream()
        .mapToDouble(executor -> executor.figures().getOrDefault(name, 0.0))
        .sum();
  }

  private static String ratio(JobRow row, JobSide side) {
    if (side == JobSide.VERBENA || !row.sides.containsKey(JobSide.VERBENA)) {
      return "";
    }
    double[] ratios = row.ratios(JobSide.VERBENA, side);
    return number(2, Stats.median(ratios))
        + " ("
        + number(2, Stats.min(ratios))
        + " to "
        + number(2, Stats.max(ratios))
        + ")";
  }

  private static String number(int digits, double value) {
    return String.format(Locale.ROOT, "%." + digits + "f", value);
  }
}
