package io.verbena.spark.ui;

import io.verbena.spark.ui.ShuffleState.Snapshot;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;

/**
 * The page's content as HTML without scripts, styled by Spark's own style sheet; drawings take the
 * colour of the text around them, so that they can be read in a light and in a dark theme.
 */
final class PageHtml {
  static final String TITLE = "RDMA Shuffle";

  /** Rows of the table at most, so that the page stays below 1 MB. */
  static final int MOST_ROWS = 300;

  private PageHtml() {}

  static String of(Snapshot now) {
    if (now.rows().isEmpty()) {
      return "<p id=\"rdma-none\">No executor has sent figures yet. They come with the first tasks"
          + " that write or read a shuffle, every 10 s.</p>";
    }
    StringBuilder out = new StringBuilder();
    summary(out, now);
    out.append("<h4>Throughput</h4>");
    Plot.draw(out, now.points());
    out.append("<h4>Transport to each peer</h4>");
    Matrix.draw(out, now.rows());
    out.append("<h4>Executors</h4>");
    table(out, now);
    return out.toString();
  }

  private static void summary(StringBuilder out, Snapshot now) {
    long gone = now.over() ? now.rows().size() : now.ended().size();
    long falls = now.rows().stream().mapToLong(row -> sum(row.falls())).sum();
    long faults = now.rows().stream().mapToLong(ExecutorRow::checksumFailures).sum();
    out.append("<ul id=\"rdma-summary\" class=\"list-unstyled\">");
    item(
        out,
        "Executors",
        now.rows().size()
            + now.leftOut()
            + " with a shuffle, "
            + (now.rows().size() - gone)
            + " running");
    StringBuilder read = new StringBuilder();
    now.total()
        .forEach(
            (transport, bytes) ->
                read.append("<span class=\"text-nowrap\">")
                    .append(Html.named(transport))
                    .append(' ')
                    .append(Html.bytes(bytes))
                    .append("</span> &#160; "));
    item(out, "Bytes read", read.toString());
    item(out, "Falls to another transport", Long.toString(falls));
    item(out, "Checksum failures", Long.toString(faults));
    out.append("</ul>");
  }

  /** The value is HTML. */
  private static void item(StringBuilder out, String name, String value) {
    out.append("<li><strong>").append(name).append(":</strong> ").append(value).append("</li>");
  }

  private static long sum(Map<String, Long> counts) {
    return counts.values().stream().mapToLong(Long::longValue).sum();
  }

  private static void table(StringBuilder out, Snapshot now) {
    List<ExecutorRow> rows = shown(now);
    if (rows.size() < now.rows().size() + now.leftOut()) {
      out.append("<p>")
          .append(rows.size())
          .append(" of ")
          .append(now.rows().size() + now.leftOut())
          .append(" executors, those that run first; sums above are of all.</p>");
    }
    List<String> transports = new ArrayList<>(new TreeSet<>(now.total().keySet()));
    out.append("<div style=\"max-height:75vh;overflow:auto\">")
        .append("<table id=\"rdma-executors\" class=\"table table-bordered table-sm table-striped")
        .append(" sortable\"><thead><tr><th>Executor</th><th>Host</th><th>State</th>")
        .append("<th>Pool</th><th>Runs in pool</th><th>Runs on disk</th>");
    for (String transport : transports) {
      out.append("<th class=\"text-nowrap\">Read by ")
          .append(Html.named(transport))
          .append("</th>");
    }
    out.append("<th>Falls</th><th>Checksum failures</th><th>Re-reads</th></tr></thead><tbody>");
    for (ExecutorRow row : rows) {
      row(out, now, row, transports);
    }
    out.append("</tbody></table></div>");
  }

  private static List<ExecutorRow> shown(Snapshot now) {
    if (now.rows().size() <= MOST_ROWS) {
      return now.rows();
    }
    List<ExecutorRow> rows = new ArrayList<>(now.rows());
    rows.removeIf(row -> now.ended().containsKey(row.executor()));
    now.rows().stream().filter(row -> now.ended().containsKey(row.executor())).forEach(rows::add);
    return rows.subList(0, MOST_ROWS);
  }

  private static void row(
      StringBuilder out, Snapshot now, ExecutorRow row, List<String> transports) {
    out.append("<tr><td>").append(Html.escape(row.executor()));
    out.append("</td><td class=\"text-nowrap\">").append(Html.escape(row.host())).append("</td>");
    state(out, now, row);
    pool(out, row);
    count(out, row.runsInPool());
    count(out, row.runsOnDisk());
    Map<String, Long> read = row.bytes();
    for (String transport : transports) {
      size(out, read.getOrDefault(transport, 0L));
    }
    falls(out, row.falls());
    count(out, row.checksumFailures());
    count(out, row.rereads());
    out.append("</tr>");
  }

  private static void state(StringBuilder out, Snapshot now, ExecutorRow row) {
    String reason = now.ended().get(row.executor());
    if (reason != null) {
      out.append("<td title=\"").append(Html.escape(reason)).append("\">gone</td>");
    } else {
      out.append(now.over() ? "<td>ended</td>" : "<td>running</td>");
    }
  }

  private static void count(StringBuilder out, long count) {
    out.append("<td>").append(count).append("</td>");
  }

  private static void size(StringBuilder out, long bytes) {
    out.append("<td class=\"text-nowrap\" sorttable_customkey=\"")
        .append(bytes)
        .append("\" title=\"")
        .append(bytes)
        .append(" bytes\">")
        .append(bytes == 0 ? "0" : Html.bytes(bytes))
        .append("</td>");
  }

  /** Used now as a filled bar, the most that was ever used as a line, the limit as the frame. */
  private static void pool(StringBuilder out, ExecutorRow row) {
    double limit = (double) Math.max(1, Math.max(row.poolLimit(), row.poolHighWater()));
    double used = 120 * Math.min(1, row.poolBytes() / limit);
    double most = 120 * Math.min(1, row.poolHighWater() / limit);
    String words =
        Html.bytes(row.poolBytes())
            + " of "
            + Html.bytes(row.poolLimit())
            + " on "
            + row.poolBacking()
            + ", at most "
            + Html.bytes(row.poolHighWater());
    out.append("<td class=\"text-nowrap\" sorttable_customkey=\"")
        .append(row.poolBytes())
        .append("\"><svg width=\"122\" height=\"14\" role=\"img\"><title>")
        .append(Html.escape(words))
        .append("</title><rect x=\".5\" y=\".5\" width=\"121\" height=\"13\" fill=\"none\"")
        .append(" stroke=\"currentColor\" stroke-opacity=\".5\"/>")
        .append("<rect x=\"1\" y=\"1\" width=\"")
        .append(Html.number(most))
        .append("\" height=\"12\" fill=\"#3b82d6\" fill-opacity=\".3\"/>")
        .append("<rect x=\"1\" y=\"1\" width=\"")
        .append(Html.number(used))
        .append("\" height=\"12\" fill=\"#3b82d6\"/></svg> <small>")
        .append(Html.bytes(row.poolBytes()))
        .append(" (most ")
        .append(Html.bytes(row.poolHighWater()))
        .append(") of ")
        .append(Html.bytes(row.poolLimit()))
        .append(", ")
        .append(Html.escape(row.poolBacking()))
        .append("</small></td>");
  }

  private static void falls(StringBuilder out, Map<String, Long> falls) {
    // Reasons are sentences; a narrow column would make rows tall.
    out.append("<td sorttable_customkey=\"").append(sum(falls));
    out.append(falls.isEmpty() ? "\">" : "\" style=\"min-width:22em\">");
    if (falls.isEmpty()) {
      out.append('0');
    }
    String between = "";
    for (Map.Entry<String, Long> fall : falls.entrySet()) {
      out.append(between)
          .append("<small>")
          .append(fall.getValue())
          .append(" &#215; ")
          .append(Html.escape(fall.getKey()))
          .append("</small>");
      between = "<br/>";
    }
    out.append("</td>");
  }
}
