package io.verbena.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class StatsTest {
  @Test
  void medianOfAnOddNumberIsTheMiddleOfAnEvenOneTheMean() {
    assertThat(Stats.median(new double[] {9, 1, 4})).isEqualTo(4);
    assertThat(Stats.median(new double[] {9, 1, 4, 6})).isEqualTo(5);
    assertThat(Stats.median(new double[0])).isNaN();
  }

  @Test
  void ratiosAreOfTheSameRound() {
    assertThat(Stats.ratios(new double[] {6, 8}, new double[] {2, 16})).containsExactly(3, 0.5);
    assertThatThrownBy(() -> Stats.ratios(new double[2], new double[3]))
        .hasMessage("rounds differ: 2 and 3");
  }
}
