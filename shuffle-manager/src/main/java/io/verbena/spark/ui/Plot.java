package io.verbena.spark.ui;

import io.verbena.spark.ui.Throughput.Point;
import java.util.List;
import java.util.TreeSet;

/** Bytes read in a second over time, the transports on top of one another. */
final class Plot {
  private static final int LEFT = 90;
  private static final int TOP = 10;
  private static final int WIDTH = 760;
  private static final int HEIGHT = 170;
  private static final double MILLIS = 1000;

  private final List<Point> points;
  private final TreeSet<String> transports = new TreeSet<>();
  private final double span;
  private final double most;

  private Plot(List<Point> points) {
    this.points = points;
    points.forEach(point -> transports.addAll(point.bytes().keySet()));
    this.span = seconds(0, points.size() - 1);
    double highest = 0;
    for (int i = 1; i < points.size(); i++) {
      double sum = 0;
      for (String transport : transports) {
        sum += rate(i, transport);
      }
      highest = Math.max(highest, sum);
    }
    this.most = ceiling(highest);
  }

  static void draw(StringBuilder out, List<Point> points) {
    if (points.size() < 2) {
      out.append("<p id=\"rdma-throughput\">Drawn once figures have come twice; they come every")
          .append(" 10 s while something changes.</p>");
      return;
    }
    new Plot(points).svg(out);
  }

  /** 1, 2, 4 or 8 times a power of 10 of a unit, so that lines have plain numbers. */
  private static double ceiling(double value) {
    double unit = 1;
    while (unit * 1024 < value) {
      unit *= 1024;
    }
    for (double step = 1; ; step *= 10) {
      for (int factor : new int[] {1, 2, 4, 8}) {
        if (unit * step * factor >= value) {
          return unit * step * factor;
        }
      }
    }
  }

  private double seconds(int from, int to) {
    return (points.get(to).time() - points.get(from).time()) / MILLIS;
  }

  private double rate(int i, String transport) {
    long before = points.get(i - 1).bytes().getOrDefault(transport, 0L);
    long after = points.get(i).bytes().getOrDefault(transport, 0L);
    return Math.max(0, after - before) / Math.max(.001, seconds(i - 1, i));
  }

  private String x(int i) {
    return Html.number(LEFT + WIDTH * seconds(0, i) / Math.max(.001, span));
  }

  private static String y(double share) {
    return Html.number(TOP + HEIGHT * (1 - share));
  }

  private void svg(StringBuilder out) {
    out.append("<p>");
    for (String transport : transports) {
      out.append("<span class=\"text-nowrap\">").append(Html.named(transport));
      out.append("</span> &#160; ");
    }
    out.append("bytes read in a second by all executors, from the first figures on.</p>");
    out.append("<svg id=\"rdma-throughput\" role=\"img\" width=\"").append(LEFT + WIDTH + 30);
    out.append("\" height=\"").append(TOP + HEIGHT + 24);
    out.append("\" font-size=\"11\" fill=\"currentColor\">");
    double[] base = new double[points.size()];
    for (String transport : transports) {
      area(out, transport, base);
    }
    axes(out);
    out.append("</svg>");
  }

  /** A step for each interval: what is known of it is its mean. */
  private void area(StringBuilder out, String transport, double[] base) {
    StringBuilder back = new StringBuilder();
    out.append("<path fill=\"").append(Html.color(transport)).append("\" d=\"M");
    for (int i = 1; i < points.size(); i++) {
      double top = base[i] + rate(i, transport) / most;
      out.append(i == 1 ? "" : "L").append(x(i - 1)).append(' ').append(y(top));
      out.append('H').append(x(i));
      back.insert(0, "L" + x(i) + " " + y(base[i]) + "H" + x(i - 1));
      base[i] = top;
    }
    out.append(back).append("z\"><title>").append(Html.escape(transport));
    out.append("</title></path>");
  }

  private void axes(StringBuilder out) {
    for (int i = 0; i <= 4; i++) {
      String y = y(i / 4.0);
      out.append("<path stroke=\"currentColor\" stroke-opacity=\".25\" d=\"M").append(LEFT);
      out.append(' ').append(y).append('h').append(WIDTH).append("\"/>");
      out.append("<text text-anchor=\"end\" x=\"").append(LEFT - 6).append("\" y=\"");
      out.append(Html.number(TOP + HEIGHT * (1 - i / 4.0) + 4)).append("\">");
      out.append(Html.bytes((long) (most * i / 4))).append("/s</text>");
      out.append("<text text-anchor=\"middle\" x=\"").append(LEFT + WIDTH * i / 4);
      out.append("\" y=\"").append(TOP + HEIGHT + 16).append("\">");
      out.append(Html.duration(span * i / 4)).append("</text>");
    }
  }
}
