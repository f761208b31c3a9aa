package io.verbena.conf;

import java.util.regex.Pattern;

/** A whole number of percent, 0 to 100, written without a sign. */
record PercentType() implements ValueType<Integer> {
  private static final Pattern DIGITS = Pattern.compile("[0-9]+");
  private static final int MAX = 100;

  @Override
  public String name() {
    return "percent";
  }

  @Override
  public String allowed() {
    return "a whole number from 0 to " + MAX;
  }

  @Override
  public Parsed<Integer> parse(String text) {
    if (!DIGITS.matcher(text).matches()) {
      return Parsed.fault("not a whole number", "write percent as digits alone, such as 75");
    }
    // Digits that do not fit an int are above the limit as well.
    int percent = text.length() > 9 ? Integer.MAX_VALUE : Integer.parseInt(text);
    return percent > MAX
        ? Parsed.fault("too large", "use " + MAX + " or less")
        : Parsed.value(percent);
  }
}
