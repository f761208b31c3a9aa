package io.verbena.bench;

import io.verbena.it.MarkdownTable;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;

/** The job benchmark's figures for people. */
final class JobTable {
  private static final double MIB = 1L << 20;
  private static final List<String> TRANSPORTS = List.of("local", "shm", "verbs", "disk", "netty");

  private final PrintStream out;

  JobTable(PrintStream out) {
    this.out = out;
  }

  /** One workload: times, then memory and bytes. */
  void print(JobRow row) {
    out.printf(
        Locale.ROOT,
        "%n%s: %d maps by %d reduces, %d records%n%n",
        row.workload,
        row.size.maps(),
        row.size.reduces(),
        row.size.records());
    table(
        row,
        List.of("", "s", "min to max", "tasks s", "CPU s", "GC s", "write s", "wait s"),
        JobTable::times);
    out.println();
    table(
        row,
        List.of(
            "MiB",
            "shuffled",
            "spilled",
            "pool",
            "tables",
            "reserved",
            "heap",
            "resident",
            "read by"),
        JobTable::memory);
    profile(row);
    out.flush();
  }

  /** CPU seconds of both executors by use, where they were sampled. */
  private void profile(JobRow row) {
    List<JobCell> cells = row.sides.values().stream().filter(c -> c.profile != null).toList();
    if (cells.isEmpty()) {
      return;
    }
    List<List<String>> lines = new ArrayList<>();
    for (CpuUse use : CpuUse.values()) {
      lines.add(line(use.title(), cells, cell -> cell.profile.of(use)));
    }
    lines.add(line("executors in all", cells, cell -> cell.profile.total()));
    lines.add(line("driver", cells, cell -> cell.median(m -> m.cpu().driver())));
    lines.add(line("master and workers", cells, cell -> cell.median(m -> m.cpu().cluster())));
    List<String> header = new ArrayList<>(List.of("CPU seconds of a run"));
    cells.forEach(cell -> header.add(cell.side.title()));
    out.println();
    out.println(MarkdownTable.draw(header, lines));
  }

  private static List<String> line(
      String title, List<JobCell> cells, ToDoubleFunction<JobCell> seconds) {
    List<String> line = new ArrayList<>(List.of(title));
    cells.forEach(cell -> line.add(two(seconds.applyAsDouble(cell))));
    return line;
  }

  /** All workloads: this shuffle beside each opponent. */
  void summary(List<JobRow> rows) {
    List<List<String>> lines = new ArrayList<>();
    for (JobRow row : rows) {
      for (JobRow.Comparison comparison : row.comparisons()) {
        lines.add(
            List.of(
                row.title(),
                comparison.opponent().title(),
                bounds(comparison.time()),
                bounds(comparison.cpu())));
      }
    }
    if (!lines.isEmpty()) {
      out.println();
      out.println(
          "Verbena by the opponent, median of pairs [95 % bounds]: below 1 is faster, or less");
      out.println();
      out.println(
          MarkdownTable.draw(List.of("workload", "opponent", "time", "CPU seconds"), lines));
    }
    out.flush();
  }

  private void table(JobRow row, List<String> header, Function<JobCell, List<String>> line) {
    out.println(MarkdownTable.draw(header, row.sides.values().stream().map(line).toList()));
  }

  private static List<String> times(JobCell cell) {
    double[] seconds = cell.seconds();
    return List.of(
        cell.side.title(),
        two(Stats.median(seconds)),
        two(Stats.min(seconds)) + " to " + two(Stats.max(seconds)),
        two(cell.median(m -> m.run().tasks().taskSeconds())),
        two(cell.median(m -> m.cpu().total())),
        two(cell.median(m -> m.figure(ExecutorFigures.GC_SECONDS))),
        two(cell.median(m -> m.run().tasks().shuffleWriteSeconds())),
        two(cell.median(m -> m.run().tasks().fetchWaitSeconds())));
  }

  private static List<String> memory(JobCell cell) {
    return List.of(
        cell.side.title(),
        mib(cell.median(m -> m.run().tasks().shuffleBytesWritten())),
        mib(cell.median(m -> m.run().tasks().spilledBytes())),
        mib(cell.median(m -> m.figure("pool.bytes"))),
        two(cell.median(m -> m.figure("pool.tableBytes") / MIB)),
        mib(cell.median(m -> m.figure("pool.highWater"))),
        mib(cell.median(m -> m.figure(ExecutorFigures.HEAP_PEAK))),
        mib(cell.median(Measured::residentPeakBytes)),
        cell.side == JobSide.VERBENA ? byTransport(cell) : byPlace(cell));
  }

  private static String byTransport(JobCell cell) {
    List<String> parts = new ArrayList<>();
    for (String transport : TRANSPORTS) {
      double bytes = cell.median(m -> m.figure("read." + transport + ".bytes"));
      if (bytes > 0) {
        parts.add(transport + " " + mib(bytes));
      }
    }
    return String.join(", ", parts);
  }

  private static String byPlace(JobCell cell) {
    return "files %s, network %s"
        .formatted(
            mib(cell.median(m -> m.run().tasks().localBytesRead())),
            mib(cell.median(m -> m.run().tasks().remoteBytesRead())));
  }

  static String bounds(MedianBounds bounds) {
    return Double.isNaN(bounds.upper())
        ? two(bounds.median())
        : "%s [%s to %s]".formatted(two(bounds.median()), two(bounds.lower()), two(bounds.upper()));
  }

  private static String two(double value) {
    return String.format(Locale.ROOT, "%.2f", value);
  }

  private static String mib(double bytes) {
    return String.format(Locale.ROOT, "%.1f", bytes / MIB);
  }
}
