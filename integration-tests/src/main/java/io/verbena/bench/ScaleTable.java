package io.verbena.bench;

import io.verbena.it.MarkdownTable;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** The scale benchmark's figures for people. */
final class ScaleTable {
  /** The shuffle that nobody here can run, for what it would cost on paper. */
  private static final ScaleShape PAPER = new ScaleShape(10_000, 10, 100_000, 0);

  private final PrintStream out;

  ScaleTable(PrintStream out) {
    this.out = out;
  }

  void print(ScaleResult result) {
    List<String> head =
        List.of(
            "shuffle",
            "ns a block written",
            "ns a block read",
            "by the first",
            "us a reduce",
            "us the first reduce",
            "table B a block",
            "READs a reduce",
            "of tables");
    out.printf("%nmaps by reduces, all in one executor%n%n");
    table(head, result.sizes());
    out.printf("%n%d map outputs in each executor%n%n", PAPER.mapsEach());
    table(head, result.executors());
    line("reduce task by map outputs", result.perMap());
    line("reduce task by executors", result.perExecutor());
    line("connections by executors", result.perConnection());
    paper(result);
    out.flush();
  }

  private void table(List<String> head, List<ScalePoint> points) {
    List<List<String>> lines = new ArrayList<>();
    for (ScalePoint point : points) {
      lines.add(
          List.of(
              point.shape().line(),
              text("%.1f", point.writeNanos()),
              text("%.1f", point.readNanos()),
              text("%.2f", point.readNanos() / points.get(0).readNanos()),
              text("%.1f", point.reduceMicros()),
              text("%.1f", point.firstMicros()),
              text("%.2f", point.tableBytes()),
              text("%.1f", point.reads()),
              text("%.1f", point.tableReads())));
    }
    out.println(MarkdownTable.draw(head, lines));
  }

  private void line(String what, Fit fit) {
    out.printf(
        Locale.ROOT,
        "%n%s: %.1f us and %.3f us for each (R squared %.3f)",
        what,
        fit.fixed(),
        fit.each(),
        fit.determination());
  }

  /** From the largest number of executors on, in proportion. */
  private void paper(ScaleResult result) {
    ScalePoint last = result.executors().get(result.executors().size() - 1);
    double more = PAPER.executors() / (double) last.shape().executors();
    double tables = last.tableBytes() * PAPER.mapsEach() * PAPER.reduces();
    out.printf(
        Locale.ROOT,
        "%n%nOn paper, %,d maps by %,d reduces on %,d executors:%n"
            + "  location tables          %.1f MiB an executor, %.0f GiB in all%n"
            + "  READs of a reduce task   %,.0f, %,.0f of them of tables%n"
            + "  time of a reduce task    %.0f ms beside its bytes%n"
            + "  connections of a reader  %.0f ms, once%n",
        PAPER.maps(),
        PAPER.reduces(),
        PAPER.executors(),
        tables / (1 << 20),
        tables * PAPER.executors() / (1L << 30),
        last.reads() * more,
        last.tableReads() * more,
        result.perExecutor().of(PAPER.executors()) / 1e3,
        result.perConnection().of(PAPER.executors()) / 1e3);
  }

  private static String text(String format, Object... values) {
    return String.format(Locale.ROOT, format, values);
  }
}
