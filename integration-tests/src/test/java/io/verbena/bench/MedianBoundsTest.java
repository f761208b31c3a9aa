package io.verbena.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Bounds of a median, against tables of the binomial distribution and by trying out. */
class MedianBoundsTest {
  private static MedianBounds ofFirst(int n) {
    return MedianBounds.of(IntStream.rangeClosed(1, n).asDoubleStream().toArray());
  }

  @Test
  void fewerThanFivePairsHaveAMedianAndNoBounds() {
    MedianBounds four = ofFirst(4);
    assertThat(four.median()).isEqualTo(2.5);
    assertThat(four.lower()).isNaN();
    assertThat(four.upper()).isNaN();
    assertThat(four.confidence()).isNaN();
    assertThat(MedianBounds.of(new double[0]).median()).isNaN();
  }

  @Test
  void fivePairsAreBoundedByTheirExtremes() {
    MedianBounds five = ofFirst(5);
    assertThat(five.lower()).isEqualTo(1);
    assertThat(five.upper()).isEqualTo(5);
    assertThat(five.confidence()).isEqualTo(31 / 32.0);
  }

  @Test
  void ranksAreThoseOfTheBinomialDistribution() {
    // Sign test, one-sided 5 %: critical values 1 of 8, 5 of 20, 18 of 50, each plus one.
    assertThat(ofFirst(8).upper()).isEqualTo(7);
    assertThat(ofFirst(20).lower()).isEqualTo(6);
    assertThat(ofFirst(20).upper()).isEqualTo(15);
    assertThat(ofFirst(20).confidence()).isCloseTo(0.9793, within(1e-4));
    assertThat(ofFirst(50).lower()).isEqualTo(19);
    assertThat(ofFirst(50).upper()).isEqualTo(32);
  }

  @Test
  void orderOfPairsDoesNotMatter() {
    assertThat(MedianBounds.of(new double[] {5, 1, 4, 2, 3})).isEqualTo(ofFirst(5));
  }

  @Test
  void boundsHoldAsOftenAsTheySayForLopsidedTimes() {
    Random random = new Random(7);
    double median = Math.log(2); // of the exponential distribution
    int above = 0;
    int trials = 20_000;
    for (int trial = 0; trial < trials; trial++) {
      double[] values = random.doubles(11).map(u -> -Math.log(1 - u)).toArray();
      above += MedianBounds.of(values).upper() >= median ? 1 : 0;
    }
    assertThat(above / (double) trials).isCloseTo(ofFirst(11).confidence(), within(0.005));
    assertThat(ofFirst(11).confidence()).isGreaterThanOrEqualTo(0.95);
  }

  @Test
  void theMostPairsThatMayBeAskedForStillHaveBounds() {
    MedianBounds most = ofFirst(JobOptions.MOST_PAIRS);
    assertThat(most.lower()).isBetween(465.0, 480.0);
    assertThat(most.upper()).isBetween(521.0, 536.0);
  }
}
