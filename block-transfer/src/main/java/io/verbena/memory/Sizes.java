package io.verbena.memory;

import java.util.Locale;

/** Sizes for people. */
public final class Sizes {
  private static final String[] UNITS = {"B", "KiB", "MiB", "GiB", "TiB"};

  private Sizes() {}

  /**
   * A size with one decimal where it says something, such as {@code 1.5 GiB} and {@code 64 KiB}.
   */
  public static String text(long bytes) {
    double size = bytes;
    int unit = 0;
    while (size >= 1024 && unit < UNITS.length - 1) {
      size /= 1024;
      unit++;
    }
    String number = String.format(Locale.ROOT, "%.1f", size);
    return (number.endsWith(".0") ? number.substring(0, number.length() - 2) : number)
        + " "
        + UNITS[unit];
  }
}
