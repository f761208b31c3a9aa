package io.verbena.conf;

import java.util.OptionalLong;

/**
 * Bytes within a range.
 *
 * @param min smallest allowed value, in bytes
 * @param max largest allowed value, in bytes; {@link Long#MAX_VALUE} for none
 * @param powerOfTwo whether only powers of two are allowed; both limits are powers of two then
 */
record SizeType(long min, long max, boolean powerOfTwo) implements ValueType<Long> {

  static SizeType atLeast(long min) {
    return new SizeType(min, Long.MAX_VALUE, false);
  }

  static SizeType powerOfTwo(long min, long max) {
    return new SizeType(min, max, true);
  }

  @Override
  public String name() {
    return "size (bytes)";
  }

  @Override
  public String allowed() {
    String noun = powerOfTwo ? "a power of two" : "a size";
    return max == Long.MAX_VALUE
        ? noun + " of at least " + format(min)
        : noun + " from " + format(min) + " to " + format(max);
  }

  @Override
  public Parsed<Long> parse(String text) {
    return Quantity.SIZE.parse(text).then(bytes -> check(text, bytes));
  }

  private Parsed<Long> check(String text, long bytes) {
    if (bytes < min) {
      String hint = Quantity.SIZE.missingUnitHint(text);
      return Parsed.fault("too small", "use " + format(min) + " or more" + hint);
    }
    if (bytes > max) {
      return Parsed.fault("too large", "use " + format(max) + " or less");
    }
    if (powerOfTwo && Long.bitCount(bytes) != 1) {
      long below = Long.highestOneBit(bytes);
      return Parsed.fault(
          "not a power of two", "use " + format(below) + " or " + format(below << 1));
    }
    return Parsed.value(bytes);
  }

  static String format(long bytes) {
    return Quantity.SIZE.format(bytes);
  }

  /** The same sizes, or {@code auto} for a value derived at start. */
  ValueType<OptionalLong> orAuto() {
    return new OrAuto(this);
  }

  private record OrAuto(SizeType size) implements ValueType<OptionalLong> {
    static final String AUTO = "auto";

    @Override
    public String name() {
      return size.name() + " or " + AUTO;
    }

    @Override
    public String allowed() {
      return AUTO + ", or " + size.allowed();
    }

    @Override
    public Parsed<OptionalLong> parse(String text) {
      return text.equalsIgnoreCase(AUTO)
          ? Parsed.value(OptionalLong.empty())
          : size.parse(text).map(OptionalLong::of);
    }
  }
}
