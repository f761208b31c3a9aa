package io.verbena.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

/** How the output of {@code ib_read_bw} is understood. */
final class PerftestTest {
  private static final String PRINTED =
      """
       GID: 00:00:00:00:00:00:00:00:00:00:255:255:10:99:00:01
      ---------------------------------------------------------------------------------------
       #bytes     #iterations    BW peak[MB/sec]    BW average[MB/sec]   MsgRate[Mpps]
       1048576    144              0.00               47.85  \t\t   0.000048
      ---------------------------------------------------------------------------------------
      """;

  @Test
  void averageIsTakenInMebibytes() {
    assertThat(Perftest.rate(PRINTED, 1 << 20)).isEqualTo(47.85 * 1024 * 1024);
  }

  @Test
  void outputWithoutAResultOfTheSizeIsShown() {
    assertThatThrownBy(() -> Perftest.rate(PRINTED, 4096))
        .isInstanceOf(BenchException.class)
        .hasMessageContaining("#iterations");
  }
}
