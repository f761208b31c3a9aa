package io.verbena.conf;

import java.util.regex.Pattern;

/**
 * A whole number within a range, written without a sign.
 *
 * @param min smallest allowed value, not negative
 * @param max largest allowed value
 */
record CountType(int min, int max) implements ValueType<Integer> {
  private static final Pattern DIGITS = Pattern.compile("[0-9]+");

  @Override
  public String name() {
    return "number";
  }

  @Override
  public String allowed() {
    return "a whole number from " + min + " to " + max;
  }

  @Override
  public Parsed<Integer> parse(String text) {
    if (!DIGITS.matcher(text).matches()) {
      return Parsed.fault("not a whole number", "write digits alone, such as " + max);
    }
    // Digits that do not fit an int are above the limit as well.
    int count = text.length() > 9 ? Integer.MAX_VALUE : Integer.parseInt(text);
    if (count < min) {
      return Parsed.fault("too small", "use " + min + " or more");
    }
    return count > max ? Parsed.fault("too large", "use " + max + " or less") : Parsed.value(count);
  }
}
