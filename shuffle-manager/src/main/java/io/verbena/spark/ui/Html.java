package io.verbena.spark.ui;

import java.util.Locale;
import java.util.Map;

/** Text for the page: everything that comes from outside goes through {@link #escape}. */
final class Html {
  private static final String[] UNITS = {"B", "KiB", "MiB", "GiB", "TiB", "PiB"};

  /** Told apart also by those who see no red or no green, on white and on black. */
  private static final Map<String, String> COLORS =
      Map.of(
          "local", "#8a8f98",
          "shm", "#2a9d6f",
          "verbs", "#3b82d6",
          "disk", "#a06cc4",
          "netty", "#e08a1e",
          "none", "#d6403b");

  private static final String OTHER = "#9a7b4f";

  private Html() {}

  static String escape(String text) {
    StringBuilder out = new StringBuilder(text.length() + 16);
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      switch (c) {
        case '&' -> out.append("&amp;");
        case '<' -> out.append("&lt;");
        case '>' -> out.append("&gt;");
        case '"' -> out.append("&quot;");
        case '\'' -> out.append("&#39;");
        default -> out.append(c < ' ' ? ' ' : c);
      }
    }
    return out.toString();
  }

  static String color(String transport) {
    return COLORS.getOrDefault(transport, OTHER);
  }

  /** A small square in a transport's colour. */
  static String swatch(String transport) {
    return "<svg width=\"10\" height=\"10\" aria-hidden=\"true\"><rect width=\"10\" height=\"10\""
        + " fill=\""
        + color(transport)
        + "\"/></svg>";
  }

  /** A square and the transport's name. */
  static String named(String transport) {
    return swatch(transport) + "&#160;" + escape(transport);
  }

  static String bytes(long bytes) {
    int unit = 0;
    double value = (double) bytes;
    while (value >= 1024 && unit < UNITS.length - 1) {
      value /= 1024;
      unit++;
    }
    String format = unit == 0 || value >= 100 ? "%.0f %s" : "%.1f %s";
    return String.format(Locale.ROOT, format, value, UNITS[unit]);
  }

  static String duration(double seconds) {
    if (seconds < 120) {
      return String.format(Locale.ROOT, "%.0f s", seconds);
    }
    return seconds < 7200 ? number(seconds / 60) + " min" : number(seconds / 3600) + " h";
  }

  /** Coordinates need no more. */
  static String number(double value) {
    String text = String.format(Locale.ROOT, "%.1f", value);
    return text.endsWith(".0") ? text.substring(0, text.length() - 2) : text;
  }
}
