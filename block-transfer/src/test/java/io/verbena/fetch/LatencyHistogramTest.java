package io.verbena.fetch;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LatencyHistogramTest {
  @ParameterizedTest
  @ValueSource(longs = {0, 1, 3, 4, 5, 7, 8, 9, 15, 16, 1000, 123_456_789, (1L << 37) - 1})
  void everyTimeStandsInTheBucketThatHoldsIt(long nanos) {
    int bucket = LatencyHistogram.bucket(nanos);
    assertThat(nanos)
        .isBetween(LatencyHistogram.lowest(bucket), LatencyHistogram.lowest(bucket + 1) - 1);
  }

  @Test
  void bucketsFollowOneAnotherAndAreAQuarterWiderThanTheirStartAtMost() {
    for (int bucket = 0; bucket < LatencyHistogram.BUCKETS; bucket++) {
      long lowest = LatencyHistogram.lowest(bucket);
      long end = LatencyHistogram.lowest(bucket + 1);
      assertThat(LatencyHistogram.bucket(lowest)).isEqualTo(bucket);
      assertThat(LatencyHistogram.bucket(end - 1)).isEqualTo(bucket);
      assertThat(end - lowest).isBetween(1L, Math.max(1, lowest / 4));
    }
  }

  @Test
  void whatIsLongerThanTheLastBucketOrAClockThatWentBackIsCountedAsWell() {
    LatencyHistogram histogram = new LatencyHistogram();
    histogram.record(Long.MAX_VALUE);
    histogram.record(-5);
    histogram.record(100);
    long[] counts = histogram.counts();
    assertThat(counts[LatencyHistogram.BUCKETS - 1]).isEqualTo(1);
    assertThat(counts[0]).isEqualTo(1);
    assertThat(Arrays.stream(counts).sum()).isEqualTo(3);
  }
}
