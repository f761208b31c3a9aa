package io.verbena.it.demo;

import io.verbena.it.demo.ShuffleReport.Executor;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;

/** Draws a {@link ShuffleReport} as text: a column per executor, then falls with their reasons. */
final class ReportTable {
  /** So that a line stays within 100 characters. */
  private static final int COLUMNS = 3;

  private static final int WIDTH = 22;

  private ReportTable() {}

  static String draw(ShuffleReport report) {
    if (report.executors().isEmpty()) {
      return "No executor has reported.\n";
    }
    List<Executor> executors =
        report.executors().stream()
            .sorted(
                Comparator.comparingInt((Executor e) -> e.executor().length())
                    .thenComparing(Executor::executor))
            .toList();
    StringBuilder text = new StringBuilder();
    for (int from = 0; from < executors.size(); from += COLUMNS) {
      int to = Math.min(from + COLUMNS, executors.size());
      drawExecutors(executors.subList(from, to), text);
      text.append('\n');
    }
    drawFalls(executors, text);
    return text.toString();
  }

  private static void drawExecutors(List<Executor> executors, StringBuilder text) {
    rows(executors)
        .forEach(
            (name, cell) -> {
              text.append("%-30s".formatted(name));
              executors.forEach(e -> text.append(("%" + WIDTH + "s").formatted(cell.apply(e))));
              text.append('\n');
            });
  }

  private static Map<String, Function<Executor, String>> rows(List<Executor> executors) {
    Map<String, Function<Executor, String>> rows = new LinkedHashMap<>();
    rows.put("executor", Executor::executor);
    rows.put("host", Executor::host);
    for (String transport : transports(executors)) {
      rows.put(
          "read from peers by " + transport, e -> bytes(e.readBytes().getOrDefault(transport, 0L)));
      rows.put("  blocks by " + transport, e -> count(e.readBlocks().getOrDefault(transport, 0L)));
    }
    rows.put("read from itself", e -> bytes(e.localBytes()));
    rows.put("  blocks from itself", e -> count(e.localBlocks()));
    rows.put("location-table READs", e -> count(e.tableReads()));
    rows.put("pool at end", e -> bytes(e.poolBytes()));
    rows.put("pool at most", e -> bytes(e.poolHighWater()));
    rows.put("pool limit", e -> bytes(e.poolLimit()));
    rows.put("pool backing", e -> e.poolBacking() == null ? "-" : e.poolBacking());
    rows.put("runs in pool", e -> count(e.runsInPool()));
    rows.put("runs on disk", e -> count(e.runsOnDisk()));
    rows.put("checksum failures", e -> count(e.checksumFailures()));
    rows.put("blocks read again", e -> count(e.rereads()));
    rows.put("CPU spent on serving peers", e -> "%.3f s".formatted(e.servingCpuSeconds()));
    return rows;
  }

  private static Set<String> transports(List<Executor> executors) {
    Set<String> names = new TreeSet<>();
    for (Executor executor : executors) {
      names.addAll(executor.readBytes().keySet());
      names.addAll(executor.readBlocks().keySet());
    }
    return names;
  }

  private static void drawFalls(List<Executor> executors, StringBuilder text) {
    Map<String, List<String>> falls = new TreeMap<>();
    for (Executor executor : executors) {
      executor
          .falls()
          .forEach(
              (reason, times) ->
                  falls
                      .computeIfAbsent(reason, r -> new ArrayList<>())
                      .add("executor %s: %d".formatted(executor.executor(), times)));
    }
    if (falls.isEmpty()) {
      text.append("Falls to another transport: none\n");
      return;
    }
    text.append("Falls to another transport:\n");
    falls.forEach(
        (reason, who) -> text.append("  %s (%s)%n".formatted(reason, String.join(", ", who))));
  }

  private static String count(long value) {
    return String.format(Locale.ROOT, "%,d", value);
  }

  /** As Spark prints sizes: powers of 1024, one digit. */
  static String bytes(long value) {
    String[] units = {"B", "KiB", "MiB", "GiB", "TiB"};
    double scaled = value;
    int unit = 0;
    while (scaled >= 1024 && unit < units.length - 1) {
      scaled /= 1024;
      unit++;
    }
    return unit == 0 ? value + " B" : String.format(Locale.ROOT, "%.1f %s", scaled, units[unit]);
  }
}
