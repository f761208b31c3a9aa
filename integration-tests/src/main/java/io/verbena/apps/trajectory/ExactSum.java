package io.verbena.apps.trajectory;

import java.io.Serializable;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.MathContext;

/**
 * A sum of doubles without any rounding: a fixed-point number as wide as the range of double. So it
 * depends neither on the order of the additions nor on how they were split over tasks, which a sum
 * of doubles does.
 *
 * <p>Digit {@code i} of {@code digits} weighs 2<sup>32 i - 1074</sup>. Digits are signed and may
 * exceed 32 bits until carries are moved on.
 */
final class ExactSum implements Serializable {
  private static final long serialVersionUID = 1L;

  private static final int DIGITS = 68;
  private static final int DIGIT_BITS = 32;
  private static final long DIGIT_MASK = 0xffff_ffffL;
  private static final int LOWEST_EXPONENT = -1074;
  private static final int MANTISSA_BITS = 52;

  /** Each addition adds less than 2^32 to a digit. */
  private static final int MOST_UNCARRIED = 1 << 30;

  /** Enough for a double, and then some: the last rounding is the only one that is seen. */
  private static final MathContext QUOTIENT = new MathContext(40);

  private final long[] digits = new long[DIGITS];
  private int uncarried;

  /** Adds a finite value. */
  void add(double value) {
    if (!Double.isFinite(value)) {
      throw new IllegalArgumentException("cannot add " + value);
    }
    long bits = Double.doubleToRawLongBits(value);
    int exponent = (int) (bits >>> MANTISSA_BITS) & 0x7ff;
    long mantissa = bits & ((1L << MANTISSA_BITS) - 1);
    if (exponent > 0) {
      mantissa |= 1L << MANTISSA_BITS;
      exponent--;
    }
    int shift = exponent % DIGIT_BITS;
    int digit = exponent / DIGIT_BITS;
    int sign = bits < 0 ? -1 : 1;
    digits[digit] += sign * ((mantissa << shift) & DIGIT_MASK);
    digits[digit + 1] += sign * ((mantissa >>> (DIGIT_BITS - shift)) & DIGIT_MASK);
    digits[digit + 2] += sign * (mantissa >>> DIGIT_BITS >>> (DIGIT_BITS - shift));
    if (++uncarried == MOST_UNCARRIED) {
      carry();
    }
  }

  /** Adds what another sum holds, which does not change its value. */
  void add(ExactSum other) {
    carry();
    other.carry();
    for (int i = 0; i < DIGITS; i++) {
      digits[i] += other.digits[i];
    }
    carry();
  }

  private void carry() {
    for (int i = 0; i < DIGITS - 1; i++) {
      digits[i + 1] += digits[i] >> DIGIT_BITS;
      digits[i] &= DIGIT_MASK;
    }
    uncarried = 0;
  }

  /** The double nearest to the sum divided by a count. */
  double dividedBy(long count) {
    BigInteger sum = BigInteger.ZERO;
    for (int i = DIGITS - 1; i >= 0; i--) {
      sum = sum.shiftLeft(DIGIT_BITS).add(BigInteger.valueOf(digits[i]));
    }
    if (sum.signum() == 0) {
      return 0;
    }
    int zeros = sum.getLowestSetBit();
    int exponent = LOWEST_EXPONENT + zeros;
    BigDecimal numerator = new BigDecimal(sum.shiftRight(zeros).shiftLeft(Math.max(0, exponent)));
    BigInteger scale = BigInteger.ONE.shiftLeft(Math.max(0, -exponent));
    BigDecimal divisor = new BigDecimal(scale.multiply(BigInteger.valueOf(count)));
    return numerator.divide(divisor, QUOTIENT).doubleValue();
  }
}
