package io.verbena.apps.trajectory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.math.BigDecimal;
import java.math.MathContext;
import java.util.Random;
import org.junit.jupiter.api.Test;

class ExactSumTest {
  @Test
  void sumIsTheNearestDoubleToTheTrueSum() {
    for (long seed = 1; seed <= 50; seed++) {
      Random random = new Random(seed);
      ExactSum sum = new ExactSum();
      BigDecimal truth = BigDecimal.ZERO;
      for (int i = 0; i < 200; i++) {
        double value = Math.scalb(random.nextDouble() - 0.5, random.nextInt(600) - 300);
        sum.add(value);
        truth = truth.add(new BigDecimal(value));
      }
      assertThat(sum.dividedBy(1)).as("seed %d", seed).isEqualTo(truth.doubleValue());
      double third = truth.divide(BigDecimal.valueOf(3), new MathContext(40)).doubleValue();
      assertThat(sum.dividedBy(3)).as("seed %d", seed).isEqualTo(third);
    }
  }

  @Test
  void extremeValuesAreExactToo() {
    ExactSum sum = new ExactSum();
    sum.add(Double.MAX_VALUE);
    sum.add(Double.MIN_VALUE);
    sum.add(-Double.MAX_VALUE);
    assertThat(sum.dividedBy(1)).isEqualTo(Double.MIN_VALUE);
    sum.add(-Double.MIN_VALUE);
    assertThat(sum.dividedBy(7)).isZero();
    assertThatThrownBy(() -> sum.add(Double.NaN)).hasMessage("cannot add NaN");
  }

  @Test
  void orderAndGroupingDoNotMatterAndCopiesCancel() {
    double[] values = new Random(7).doubles(1000, 0, 1e-3).toArray();
    ExactSum whole = new ExactSum();
    ExactSum halves = new ExactSum();
    ExactSum other = new ExactSum();
    ExactSum fivefold = new ExactSum();
    for (int i = 0; i < values.length; i++) {
      whole.add(values[i]);
      (i % 2 == 0 ? halves : other).add(values[values.length - 1 - i]);
      for (int copy = 0; copy < 5; copy++) {
        fivefold.add(values[i]);
      }
    }
    halves.add(other);
    assertThat(halves.dividedBy(1000)).isEqualTo(whole.dividedBy(1000));
    assertThat(fivefold.dividedBy(5000)).isEqualTo(whole.dividedBy(1000));
  }
}
