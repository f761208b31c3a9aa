package io.verbena.apps.tpch;

import org.apache.spark.executor.ShuffleReadMetrics;
import org.apache.spark.executor.TaskMetrics;

/**
 * What tasks wrote to and read from shuffles, as Spark counts it.
 *
 * @param tasks number of tasks
 * @param failedTasks of these, those that ended without success
 * @param taskSeconds time that tasks ran
 * @param bytesWritten bytes of map outputs
 * @param recordsWritten records of map outputs
 * @param recordsRead records that were read
 * @param localBlocks blocks that were read from the executor's own
 * @param remoteBlocks blocks that were read from other executors
 */
public record ShuffleTotals(
    long tasks,
    long failedTasks,
    double taskSeconds,
    long bytesWritten,
    long recordsWritten,
    long recordsRead,
    long localBlocks,
    long remoteBlocks) {
  static final ShuffleTotals NONE = new ShuffleTotals(0, 0, 0, 0, 0, 0, 0, 0);
  private static final double MILLIS_PER_SECOND = 1e3;

  /**
   * Of one task.
   *
   * @param metrics null when the task has reported none
   */
  static ShuffleTotals of(TaskMetrics metrics, boolean successful) {
    int failed = successful ? 0 : 1;
    if (metrics == null) {
      return new ShuffleTotals(1, failed, 0, 0, 0, 0, 0, 0);
    }
    ShuffleReadMetrics read = metrics.shuffleReadMetrics();
    return new ShuffleTotals(
        1,
        failed,
        metrics.executorRunTime() / MILLIS_PER_SECOND,
        metrics.shuffleWriteMetrics().bytesWritten(),
        metrics.shuffleWriteMetrics().recordsWritten(),
        read.recordsRead(),
        read.localBlocksFetched(),
        read.remoteBlocksFetched());
  }

  ShuffleTotals plus(ShuffleTotals other) {
    return new ShuffleTotals(
        tasks + other.tasks,
        failedTasks + other.failedTasks,
        taskSeconds + other.taskSeconds,
        bytesWritten + other.bytesWritten,
        recordsWritten + other.recordsWritten,
        recordsRead + other.recordsRead,
        localBlocks + other.localBlocks,
        remoteBlocks + other.remoteBlocks);
  }
}
