package io.verbena.it.sql;

import io.verbena.it.cluster.Await;
import java.time.Duration;
import java.util.concurrent.TimeoutException;
import org.apache.spark.SparkContext;
import org.apache.spark.executor.TaskMetrics;
import org.apache.spark.scheduler.SparkListener;
import org.apache.spark.scheduler.SparkListenerJobEnd;
import org.apache.spark.scheduler.SparkListenerJobStart;
import org.apache.spark.scheduler.SparkListenerTaskEnd;

/** Shuffle metrics of all tasks of a query, as Spark's UI shows them. */
public final class TaskTotals extends SparkListener {
  private static final Duration LIMIT = Duration.ofMinutes(2);

  private long recordsWritten;
  private long recordsRead;
  private long bytesWritten;
  private long bytesRead;
  private long localBytes;
  private long remoteBlocks;
  private long localBlocks;
  private int jobs;

  /**
   * Waits until all jobs have ended and all that their tasks did is counted. Adaptive execution may
   * have an answer while a stage runs whose output it has found to be of no use.
   */
  public void awaitAllCounted(SparkContext context) throws InterruptedException {
    try {
      context.listenerBus().waitUntilEmpty(LIMIT.toMillis());
    } catch (TimeoutException e) {
      throw new IllegalStateException("listeners have not heard of all", e);
    }
    Await.until("the end of all jobs", LIMIT, () -> jobs() == 0);
  }

  private synchronized int jobs() {
    return jobs;
  }

  @Override
  public synchronized void onJobStart(SparkListenerJobStart start) {
    jobs++;
  }

  @Override
  public synchronized void onJobEnd(SparkListenerJobEnd end) {
    jobs--;
  }

  @Override
  public synchronized void onTaskEnd(SparkListenerTaskEnd end) {
    TaskMetrics metrics = end.taskMetrics();
    if (metrics == null) {
      return;
    }
    recordsWritten += metrics.shuffleWriteMetrics().recordsWritten();
    bytesWritten += metrics.shuffleWriteMetrics().bytesWritten();
    recordsRead += metrics.shuffleReadMetrics().recordsRead();
    bytesRead += metrics.shuffleReadMetrics().totalBytesRead();
    localBytes += metrics.shuffleReadMetrics().localBytesRead();
    remoteBlocks += metrics.shuffleReadMetrics().remoteBlocksFetched();
    localBlocks += metrics.shuffleReadMetrics().localBlocksFetched();
  }

  /** What it has counted, and counts anew. */
  public synchronized Taken take() {
    Taken taken =
        new Taken(
            "written " + recordsWritten + " read " + recordsRead,
            "written %d read %d local %d remote blocks %d local blocks %d"
                .formatted(bytesWritten, bytesRead, localBytes, remoteBlocks, localBlocks));
    recordsWritten = 0;
    recordsRead = 0;
    bytesWritten = 0;
    bytesRead = 0;
    localBytes = 0;
    remoteBlocks = 0;
    localBlocks = 0;
    return taken;
  }

  /** Figures as text: records do not depend on the shuffle manager, bytes and blocks may. */
  public record Taken(String records, String bytes) {}
}
