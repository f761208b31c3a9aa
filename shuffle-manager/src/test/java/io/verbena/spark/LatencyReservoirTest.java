package io.verbena.spark;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import com.codahale.metrics.Snapshot;
import io.verbena.fetch.LatencyHistogram;
import java.io.ByteArrayOutputStream;
import org.junit.jupiter.api.Test;

class LatencyReservoirTest {
  private final long[] counts = new long[LatencyHistogram.BUCKETS];
  private long now;
  private final LatencyReservoir reservoir = new LatencyReservoir(() -> counts.clone(), () -> now);

  /** Adds times that stand at the start of their bucket. */
  private void add(long nanos, int times) {
    int bucket = 0;
    while (LatencyHistogram.lowest(bucket + 1) <= nanos) {
      bucket++;
    }
    counts[bucket] += times;
  }

  @Test
  void quantilesMeanAndEndsAreThoseOfTheTimesWithinAnEighth() {
    add(1_000, 50);
    add(10_000, 45);
    add(1_000_000, 5);

    Snapshot snapshot = reservoir.getSnapshot();

    assertThat(snapshot.size()).isEqualTo(100);
    assertThat(snapshot.getValue(0)).isCloseTo(1_000, within(125.0));
    assertThat(snapshot.getMedian()).isCloseTo(1_000, within(125.0));
    assertThat(snapshot.getValue(0.51)).isCloseTo(10_000, within(1_250.0));
    assertThat(snapshot.get95thPercentile()).isCloseTo(10_000, within(1_250.0));
    assertThat(snapshot.get99thPercentile()).isCloseTo(1_000_000, within(125_000.0));
    assertThat((double) snapshot.getMin()).isCloseTo(1_000, within(125.0));
    assertThat((double) snapshot.getMax()).isCloseTo(1_000_000, within(125_000.0));
    assertThat(snapshot.getMean()).isCloseTo(55_000, within(6_875.0));
    assertThat(snapshot.getStdDev()).isCloseTo(217_000, within(27_000.0));
    assertThat(snapshot.getValues()).hasSize(3).isSorted();
    ByteArrayOutputStream dumped = new ByteArrayOutputStream();
    snapshot.dump(dumped);
    assertThat(dumped.toString(java.nio.charset.StandardCharsets.UTF_8).lines()).hasSize(3);
  }

  @Test
  void withoutTimesAllIsZero() {
    Snapshot snapshot = reservoir.getSnapshot();
    assertThat(snapshot.getMedian()).isZero();
    assertThat(snapshot.getMean()).isZero();
    assertThat(snapshot.getStdDev()).isZero();
    assertThat(snapshot.getMin()).isZero();
    assertThat(snapshot.getMax()).isZero();
    assertThat(snapshot.size()).isZero();
  }

  @Test
  void timesAreForgottenAfterOneToTwoMinutesButStayInTheTotal() {
    add(1_000_000, 10);
    assertThat(reservoir.getSnapshot().size()).isEqualTo(10);

    now += LatencyReservoir.WINDOW_NANOS;
    add(1_000, 3);
    assertThat(reservoir.getSnapshot().size()).as("a minute later").isEqualTo(13);

    now += LatencyReservoir.WINDOW_NANOS - 1;
    assertThat(reservoir.getSnapshot().size()).as("short of two minutes").isEqualTo(13);

    now += 1;
    assertThat(reservoir.getSnapshot().size()).as("two minutes later").isZero();
    add(1_000, 2);
    assertThat(reservoir.getSnapshot().size()).isEqualTo(2);
    assertThat(reservoir.total()).isEqualTo(15);
  }

  @Test
  void whatIsNoQuantileIsRefused() {
    Snapshot snapshot = reservoir.getSnapshot();
    assertThatThrownBy(() -> snapshot.getValue(1.5))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("quantile=1.5: allowed is from 0 to 1");
    assertThatThrownBy(() -> reservoir.update(1)).isInstanceOf(UnsupportedOperationException.class);
  }
}
