package io.verbena.apps.trajectory;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** A line of text split at blanks, reused from line to line: no object per line or field. */
final class Line {
  private static final int SHOWN = 60;
  private static final double[] POWERS_OF_TEN = {
    1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16,
    1e17, 1e18, 1e19, 1e20, 1e21, 1e22
  };
  private static final long MAX_EXACT_DIGITS = 1L << 53;

  private byte[] bytes = new byte[0];
  private int length;
  private int[] starts = new int[16];
  private int[] ends = new int[16];
  private int fields;

  /** Looks at the first {@code length} bytes, which the caller leaves alone meanwhile. */
  void reset(byte[] bytes, int length) {
    this.bytes = bytes;
    this.length = length;
    fields = 0;
    int at = 0;
    while (true) {
      while (at < length && isBlank(bytes[at])) {
        at++;
      }
      if (at == length) {
        return;
      }
      if (fields == starts.length) {
        starts = Arrays.copyOf(starts, 2 * fields);
        ends = Arrays.copyOf(ends, 2 * fields);
      }
      starts[fields] = at;
      while (at < length && !isBlank(bytes[at])) {
        at++;
      }
      ends[fields++] = at;
    }
  }

  private static boolean isBlank(byte b) {
    return b == ' ' || b == '\t';
  }

  int fields() {
    return fields;
  }

  String field(int index) {
    return new String(
        bytes, starts[index], ends[index] - starts[index], StandardCharsets.ISO_8859_1);
  }

  /** Fields from one on. */
  List<String> fieldsFrom(int first) {
    List<String> result = new ArrayList<>();
    for (int i = first; i < fields; i++) {
      result.add(field(i));
    }
    return result;
  }

  boolean isItem() {
    return fields > 0 && ends[0] - starts[0] == 5 && field(0).equals("ITEM:");
  }

  boolean isGzip() {
    return length > 1 && bytes[0] == 0x1f && bytes[1] == (byte) 0x8b;
  }

  /** A finite number. */
  double number(int index, String what) throws MalformedException {
    double value = fastNumber(starts[index], ends[index]);
    if (Double.isNaN(value)) {
      value = anyNumber(field(index));
    }
    if (!Double.isFinite(value)) {
      throw new MalformedException("a number as " + what, quote(field(index)));
    }
    return value;
  }

  /** A whole number in the range of {@code long}. */
  long integer(int index, String what) throws MalformedException {
    int at = starts[index];
    int end = ends[index];
    boolean negative = bytes[at] == '-';
    if (negative) {
      at++;
    }
    if (at == end || end - at > 18) {
      throw new MalformedException("a whole number as " + what, quote(field(index)));
    }
    long value = 0;
    for (; at < end; at++) {
      int digit = bytes[at] - '0';
      if (digit < 0 || digit > 9) {
        throw new MalformedException("a whole number as " + what, quote(field(index)));
      }
      value = 10 * value + digit;
    }
    return negative ? -value : value;
  }

  /**
   * Numbers of few digits: digits and power of ten are both exact doubles, so that one operation
   * rounds once, as {@link Double#parseDouble} does. NaN for all that is not as simple.
   */
  private double fastNumber(int from, int to) {
    int at = from;
    boolean negative = bytes[at] == '-';
    if (negative) {
      at++;
    }
    long digits = 0;
    int count = 0;
    int decimals = 0;
    boolean point = false;
    for (; at < to; at++) {
      byte b = bytes[at];
      if (b >= '0' && b <= '9') {
        digits = 10 * digits + (b - '0');
        count++;
        decimals += point ? 1 : 0;
      } else if (b == '.' && !point) {
        point = true;
      } else {
        return Double.NaN;
      }
    }
    if (count == 0 || count > 18 || digits > MAX_EXACT_DIGITS) {
      return Double.NaN;
    }
    double value = digits / POWERS_OF_TEN[decimals];
    return negative ? -value : value;
  }

  /** What Java accepts but no simulation writes (hexadecimal, type suffixes) is no number. */
  private static double anyNumber(String text) {
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if ((c < '0' || c > '9') && "+-.eE".indexOf(c) < 0) {
        return Double.NaN;
      }
    }
    try {
      return Double.parseDouble(text);
    } catch (NumberFormatException e) {
      return Double.NaN;
    }
  }

  /** The line for a message: quoted, printable, short. */
  @Override
  public String toString() {
    return quote(new String(bytes, 0, Math.min(length, 2 * SHOWN), StandardCharsets.UTF_8));
  }

  static String quote(String text) {
    String printable = text.strip().replaceAll("[^\\x20-\\x7e]", "?");
    return printable.length() <= SHOWN
        ? "\"" + printable + "\""
        : "\"" + printable.substring(0, SHOWN) + "...\"";
  }
}
