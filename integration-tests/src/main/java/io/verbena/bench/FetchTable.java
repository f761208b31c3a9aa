package io.verbena.bench;

import java.io.PrintStream;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** The fetch benchmark's figures for people. */
final class FetchTable {
  private final PrintStream out;
  private boolean headed;

  FetchTable(PrintStream out) {
    this.out = out;
  }

  void print(String size, List<FetchRow> rows) {
    if (!headed) {
      out.printf(
          Locale.ROOT,
          "%n%-6s %-5s %-17s %8s %19s   %-26s %-10s %-10s%n",
          "block",
          "",
          "side",
          "GB/s",
          "(min to max)",
          "Verbena is times as fast",
          "server CPU",
          "reader CPU");
      out.printf(
          Locale.ROOT,
          "%-6s %-5s %-17s %8s %19s   %-26s %-10s %-10s%n",
          "",
          "",
          "",
          "median",
          "",
          "median (min to max)",
          "s/GiB",
          "s/GiB");
      headed = true;
    }
    for (FetchRow row : rows) {
      for (Map.Entry<FetchSide, FetchCell> entry : row.sides.entrySet()) {
        line(size, row, entry.getKey(), entry.getValue());
      }
    }
    out.flush();
  }

  private void line(String size, FetchRow row, FetchSide side, FetchCell cell) {
    double[] rates = cell.rates();
    out.printf(
        Locale.ROOT,
        "%-6s %-5s %-17s %8.3f %19s   %-26s %-10.4f %-10.3f%n",
        size,
        row.pass.title(),
        side.title(),
        cell.medianRate(),
        String.format(Locale.ROOT, "(%.3f to %.3f)", Stats.min(rates), Stats.max(rates)),
        ratio(row, side),
        cell.meanServerCpu(),
        cell.medianReaderCpu());
  }

  private static String ratio(FetchRow row, FetchSide side) {
    if (side == FetchSide.VERBENA || !row.sides.containsKey(FetchSide.VERBENA)) {
      return "";
    }
    double[] ratios = row.ratios(FetchSide.VERBENA, side);
    return String.format(
        Locale.ROOT,
        "%.2f (%.2f to %.2f)",
        Stats.median(ratios),
        Stats.min(ratios),
        Stats.max(ratios));
  }
}
