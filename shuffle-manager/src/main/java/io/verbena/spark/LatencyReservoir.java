package io.verbena.spark;

import com.codahale.metrics.Reservoir;
import com.codahale.metrics.Snapshot;
import io.verbena.fetch.LatencyHistogram;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * The engine's latencies as dropwizard's metrics want them. Snapshots show the last one to two
 * minutes, so that what happens now is not lost in what has been. It is the engine that counts;
 * nothing is copied until a sink asks.
 *
 * <p>Threads: any.
 */
final class LatencyReservoir implements Reservoir {
  static final long WINDOW_NANOS = TimeUnit.MINUTES.toNanos(1);

  private final Supplier<long[]> counts;
  private final LongSupplier clock;
  private long turnedNanos;
  // Counts at the last two turns.
  private long[] last = new long[LatencyHistogram.BUCKETS];
  private long[] before = last;

  /**
   * Makes a reservoir.
   *
   * @param counts gives how many times each bucket of a {@link LatencyHistogram} has
   * @param clock gives the time, nanoseconds
   */
  LatencyReservoir(Supplier<long[]> counts, LongSupplier clock) {
    this.counts = counts;
    this.clock = clock;
    this.turnedNanos = clock.getAsLong();
  }

  /** All times so far. */
  long total() {
    return Arrays.stream(counts.get()).sum();
  }

  @Override
  public synchronized Snapshot getSnapshot() {
    long[] now = counts.get();
    long nanos = clock.getAsLong();
    if (nanos - turnedNanos >= WINDOW_NANOS) {
      before = last;
      last = now;
      turnedNanos = nanos;
    }
    long[] within = new long[now.length];
    for (int i = 0; i < now.length; i++) {
      within[i] = now[i] - before[i];
    }
    return new LatencySnapshot(within);
  }

  @Override
  public int size() {
    return getSnapshot().size();
  }

  @Override
  public void update(long value) {
    throw new UnsupportedOperationException("the engine counts by itself");
  }
}
