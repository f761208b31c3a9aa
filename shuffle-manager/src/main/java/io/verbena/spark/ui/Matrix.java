package io.verbena.spark.ui;

import io.verbena.fetch.IdRanges;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Which executor reads which by which transport. For a few executors a table of names, for many a
 * drawing with a cell for each pair: neighbours of one colour are one line, and a tip names the
 * peers of a row and transport, so that its size goes with executors, seldom with their square.
 */
final class Matrix {
  /** Up to here names can be read. */
  private static final int MOST_NAMED = 12;

  /** Beyond this cells would be smaller than 3 points. */
  static final int MOST_DRAWN = 256;

  private static final int LEFT = 70;
  private static final int TOP = 34;
  private static final int MOST_SIDE = 768;

  private final List<ExecutorRow> rows;
  private final Map<String, Integer> columns = new HashMap<>();

  private Matrix(List<ExecutorRow> rows) {
    this.rows = rows;
    for (int i = 0; i < rows.size(); i++) {
      columns.put(rows.get(i).executor(), i);
    }
  }

  static void draw(StringBuilder out, List<ExecutorRow> all) {
    List<ExecutorRow> rows = all.subList(Math.max(0, all.size() - MOST_DRAWN), all.size());
    if (rows.size() < all.size()) {
      out.append("<p>The newest ").append(rows.size()).append(" executors of ");
      out.append(all.size()).append(".</p>");
    }
    Matrix matrix = new Matrix(rows);
    if (rows.size() <= MOST_NAMED) {
      matrix.table(out);
    } else {
      matrix.cells(out);
    }
  }

  /** Columns by transport; the executor itself is left out. */
  private Map<String, BitSet> peers(int row) {
    Map<String, BitSet> peers = new TreeMap<>();
    rows.get(row)
        .peers()
        .forEach(
            (transport, ids) -> {
              for (String id : IdRanges.ids(ids, 10_000)) {
                Integer column = columns.get(id);
                if (column != null && column != row) {
                  peers.computeIfAbsent(transport, t -> new BitSet()).set(column);
                }
              }
            });
    return peers;
  }

  private void table(StringBuilder out) {
    out.append("<p>A row for the executor that reads, a column for the one that is read.</p>")
        .append("<table id=\"rdma-matrix\" class=\"table table-bordered table-sm w-auto\">")
        .append("<thead><tr><th>reads \\ from</th>");
    for (ExecutorRow row : rows) {
      out.append("<th>").append(Html.escape(row.executor())).append("</th>");
    }
    out.append("</tr></thead><tbody>");
    for (int i = 0; i < rows.size(); i++) {
      out.append("<tr><th>").append(Html.escape(rows.get(i).executor())).append("</th>");
      Map<String, BitSet> peers = peers(i);
      for (int column = 0; column < rows.size(); column++) {
        out.append("<td class=\"text-nowrap\">").append(cell(i, column, peers)).append("</td>");
      }
      out.append("</tr>");
    }
    out.append("</tbody></table>");
  }

  private static String cell(int row, int column, Map<String, BitSet> peers) {
    if (row == column) {
      return Html.named("local");
    }
    for (Map.Entry<String, BitSet> each : peers.entrySet()) {
      if (each.getValue().get(column)) {
        return Html.named(each.getKey());
      }
    }
    return "&#8211;";
  }

  private void cells(StringBuilder out) {
    int count = rows.size();
    // Whole points: cells of one size, without gaps.
    int size = Math.max(3, Math.min(14, MOST_SIDE / count));
    int side = size * count;
    Set<String> seen = new TreeSet<>();
    StringBuilder body = new StringBuilder();
    for (int i = 0; i < count; i++) {
      row(body, i, size, seen);
    }
    legend(out, seen);
    out.append("<svg id=\"rdma-matrix\" role=\"img\" width=\"")
        .append(LEFT + side + 10)
        .append("\" height=\"")
        .append(TOP + side + 6)
        .append("\" font-size=\"11\" fill=\"currentColor\" shape-rendering=\"crispEdges\">");
    out.append("<text x=\"4\" y=\"12\">reads &#8595; &#160; from &#8594;</text>");
    ticks(out, size);
    out.append("<rect x=\"").append(LEFT).append("\" y=\"").append(TOP);
    out.append("\" width=\"").append(side).append("\" height=\"");
    out.append(side);
    out.append("\" fill-opacity=\".06\" stroke=\"currentColor\" stroke-opacity=\".4\"/>");
    out.append(body).append("</svg>");
  }

  private static void legend(StringBuilder out, Set<String> seen) {
    out.append("<p id=\"rdma-legend\">");
    seen.add("local");
    for (String transport : seen) {
      out.append("<span class=\"text-nowrap\">").append(Html.named(transport));
      out.append("</span> &#160; ");
    }
    out.append("empty: not read yet. A row for the executor that reads, a column for the one that")
        .append(" is read; rest the mouse on a cell for names.</p>");
  }

  private void ticks(StringBuilder out, int size) {
    int step = Math.max(1, (int) Math.ceil(rows.size() / 12.0));
    for (int i = 0; i < rows.size(); i += step) {
      String id = Html.escape(rows.get(i).executor());
      double middle = (i + .5) * size;
      out.append("<text text-anchor=\"middle\" x=\"").append(Html.number(LEFT + middle));
      out.append("\" y=\"").append(TOP - 5).append("\">").append(id).append("</text>");
      out.append("<text text-anchor=\"end\" x=\"").append(LEFT - 5).append("\" y=\"");
      out.append(Html.number(TOP + middle + 4)).append("\">").append(id).append("</text>");
    }
  }

  private void row(StringBuilder out, int row, int size, Set<String> seen) {
    out.append("<g fill=\"none\" transform=\"translate(").append(LEFT).append(' ');
    out.append(Html.number(TOP + (row + .5) * size)).append(") scale(");
    out.append(size).append(")\">");
    Map<String, BitSet> peers = peers(row);
    BitSet self = new BitSet();
    self.set(row);
    String reader = Html.escape(rows.get(row).executor());
    path(out, "local", self, "executor " + reader + ": its own");
    for (Map.Entry<String, BitSet> each : peers.entrySet()) {
      seen.add(each.getKey());
      path(
          out,
          each.getKey(),
          each.getValue(),
          "executor "
              + reader
              + " reads by "
              + Html.escape(each.getKey())
              + ": "
              + Html.escape(rows.get(row).peers().get(each.getKey())));
    }
    out.append("</g>");
  }

  private static void path(StringBuilder out, String transport, BitSet columns, String tip) {
    out.append("<path stroke=\"").append(Html.color(transport)).append("\" d=\"");
    int start = columns.nextSetBit(0);
    while (start >= 0) {
      int end = columns.nextClearBit(start);
      out.append('M').append(start).append(" 0h").append(end - start);
      start = columns.nextSetBit(end);
    }
    out.append("\"><title>").append(tip).append("</title></path>");
  }
}
