package io.verbena.spark;

import io.verbena.fetch.FetchObserver;
import java.util.HashSet;
import java.util.Set;
import org.apache.spark.shuffle.ShuffleReadMetricsReporter;

/**
 * Feeds Spark's read metrics. Bytes from another executor's memory are remote reads, whatever way
 * they took.
 *
 * <p>Threads: the task's thread.
 */
final class ReadMetrics implements FetchObserver {
  private static final long NANOS_PER_MILLI = 1_000_000;

  private final ShuffleReadMetricsReporter reporter;
  private final boolean batched;
  private final Set<Long> maps = new HashSet<>();
  // Spark counts milliseconds; single waits are far shorter.
  private long unreportedNanos;

  /**
   * Feeds a reporter.
   *
   * @param batched whether all blocks of a map output count as one; see {@link BatchFetch}
   */
  ReadMetrics(ShuffleReadMetricsReporter reporter, boolean batched) {
    this.reporter = reporter;
    this.batched = batched;
  }

  @Override
  public void local(long bytes) {
    reporter.incLocalBytesRead(bytes);
  }

  @Override
  public void remote(long bytes, String transport) {
    reporter.incRemoteBytesRead(bytes);
  }

  @Override
  public void block(long mapId, boolean local) {
    if (batched && !maps.add(mapId)) {
      return;
    }
    if (local) {
      reporter.incLocalBlocksFetched(1);
    } else {
      reporter.incRemoteBlocksFetched(1);
    }
  }

  @Override
  public void waited(long nanos) {
    unreportedNanos += nanos;
    long millis = unreportedNanos / NANOS_PER_MILLI;
    if (millis > 0) {
      reporter.incFetchWaitTime(millis);
      unreportedNanos -= millis * NANOS_PER_MILLI;
    }
  }

  void records(long count) {
    reporter.incRecordsRead(count);
  }
}
