package io.verbena.it.sql;

import org.apache.spark.executor.TaskMetrics;
import org.apache.spark.scheduler.SparkListener;
import org.apache.spark.scheduler.SparkListenerTaskEnd;

/** Shuffle metrics of all tasks of an application, as Spark's UI shows them. */
final class TaskTotals extends SparkListener {
  private long recordsWritten;
  private long recordsRead;
  private long bytesWritten;
  private long bytesRead;
  private long localBytes;
  private long remoteBlocks;
  private long localBlocks;

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

  /** What does not depend on the shuffle manager. */
  synchronized String records() {
    return "written " + recordsWritten + " read " + recordsRead;
  }

  synchronized String bytes() {
    return "written "
        + bytesWritten
        + " read "
        + bytesRead
        + " of them local "
        + localBytes
        + " remote blocks "
        + remoteBlocks
        + " local blocks "
        + localBlocks;
  }
}
