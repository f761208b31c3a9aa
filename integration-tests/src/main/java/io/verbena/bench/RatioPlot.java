package io.verbena.bench;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * Ratios of paired times as a picture: a row for each workload and opponent, a mark for the median,
 * a bar from bound to bound, on a scale where half and double are as far from one. Text of our own:
 * lines, circles and words are all that is drawn.
 */
final class RatioPlot {
  private static final int LEFT = 300;
  private static final int WIDTH = 560;
  private static final int RIGHT = 150;
  private static final int TOP = 70;
  private static final int ROW = 22;
  private static final int BOTTOM = 50;

  private static final String FASTER = "#1b7837";
  private static final String SLOWER = "#b2182b";
  private static final String OPEN = "#555555";

  private final List<Line> lines = new ArrayList<>();
  private final double lowest;
  private final double highest;

  private record Line(String workload, String opponent, MedianBounds bounds) {}

  private RatioPlot(List<JobRow> rows) {
    for (JobRow row : rows) {
      for (JobRow.Comparison comparison : row.comparisons()) {
        lines.add(new Line(row.title(), comparison.opponent().title(), comparison.time()));
      }
    }
    lowest = power(lines.stream().mapToDouble(l -> low(l.bounds)).min().orElse(1), false);
    highest = power(lines.stream().mapToDouble(l -> high(l.bounds)).max().orElse(1), true);
  }

  /**
   * The picture.
   *
   * @param caption one line below it: what figures depend on
   */
  static String svg(List<JobRow> rows, String caption) {
    return new RatioPlot(rows).draw(caption);
  }

  private static double low(MedianBounds bounds) {
    return Double.isNaN(bounds.lower()) ? bounds.median() : bounds.lower();
  }

  private static double high(MedianBounds bounds) {
    return Double.isNaN(bounds.upper()) ? bounds.median() : bounds.upper();
  }

  /** The next power of two: at most a half, or at least the double, so that 1 is inside. */
  private static double power(double value, boolean up) {
    double exponent = Math.log(value) / Math.log(2);
    return Math.pow(2, up ? Math.max(1, Math.ceil(exponent)) : Math.min(-1, Math.floor(exponent)));
  }

  private String draw(String caption) {
    int height = TOP + ROW * lines.size() + BOTTOM;
    StringBuilder svg = new StringBuilder();
    svg.append(
        text(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\""
                + " font-family=\"sans-serif\" font-size=\"12\">%n",
            LEFT + WIDTH + RIGHT, height));
    svg.append("<rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n");
    svg.append(words(LEFT, 24, "start", "Time of Verbena by time of the opponent: left is faster"));
    axis(svg, height);
    String previous = "";
    for (int i = 0; i < lines.size(); i++) {
      Line line = lines.get(i);
      row(svg, line, TOP + ROW * i + ROW / 2.0, !line.workload.equals(previous));
      previous = line.workload;
    }
    svg.append(words(10, height - 14, "start", caption));
    return svg.append("</svg>\n").toString();
  }

  private void axis(StringBuilder svg, int height) {
    for (double value = lowest; value <= highest; value *= 2) {
      svg.append(
          text(
              "<line x1=\"%.1f\" x2=\"%.1f\" y1=\"%d\" y2=\"%d\" stroke=\"%s\"/>%n",
              x(value), x(value), TOP - 8, height - BOTTOM, value == 1 ? "black" : "#cccccc"));
      svg.append(words(x(value), TOP - 14, "middle", label(value)));
    }
  }

  private void row(StringBuilder svg, Line line, double y, boolean first) {
    if (first) {
      svg.append(words(10, y + 4, "start", line.workload));
    }
    svg.append(words(LEFT - 10, y + 4, "end", line.opponent));
    MedianBounds bounds = line.bounds;
    // Coloured only where the bounds say which side is faster; NaN, where there are none, does not.
    String colour = bounds.upper() < 1 ? FASTER : bounds.lower() > 1 ? SLOWER : OPEN;
    svg.append(
        text(
            "<line x1=\"%.1f\" x2=\"%.1f\" y1=\"%.1f\" y2=\"%.1f\" stroke=\"%s\""
                + " stroke-width=\"3\"/>%n",
            x(low(bounds)), x(high(bounds)), y, y, colour));
    svg.append(
        text(
            "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"5\" fill=\"%s\"/>%n",
            x(bounds.median()), y, colour));
    svg.append(words(LEFT + WIDTH + 10, y + 4, "start", JobTable.bounds(bounds)));
  }

  private double x(double ratio) {
    return LEFT + WIDTH * Math.log(ratio / lowest) / Math.log(highest / lowest);
  }

  private static String label(double power) {
    return power >= 1 ? text("%.0f", power) : text("1/%.0f", 1 / power);
  }

  private static String words(double x, double y, String anchor, String content) {
    String escaped = content.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;");
    return text(
        "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\">%s</text>%n", x, y, anchor, escaped);
  }

  private static String text(String format, Object... values) {
    return String.format(Locale.ROOT, format, values);
  }
}
