package io.verbena.bench;

import org.apache.spark.executor.ShuffleReadMetrics;
import org.apache.spark.executor.TaskMetrics;
import org.apache.spark.scheduler.SparkListener;
import org.apache.spark.scheduler.SparkListenerTaskEnd;

/** Sums metrics of tasks. Called on the listener bus's thread, read on the driver's. */
final class TaskListener extends SparkListener {
  private TaskTotals totals = TaskTotals.NONE;

  /** What has come since the last call. */
  synchronized TaskTotals take() {
    TaskTotals taken = totals;
    totals = TaskTotals.NONE;
    return taken;
  }

  @Override
  public synchronized void onTaskEnd(SparkListenerTaskEnd end) {
    int failed = end.taskInfo().successful() ? 0 : 1;
    TaskMetrics m = end.taskMetrics();
    if (m == null) {
      totals = totals.plus(new TaskTotals(1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, failed));
      return;
    }
    ShuffleReadMetrics read = m.shuffleReadMetrics();
    totals =
        totals.plus(
            new TaskTotals(
                1,
                m.executorRunTime() / 1e3,
                m.executorCpuTime() / 1e9,
                m.jvmGCTime() / 1e3,
                m.shuffleWriteMetrics().writeTime() / 1e9,
                read.fetchWaitTime() / 1e3,
                m.shuffleWriteMetrics().bytesWritten(),
                read.localBytesRead(),
                read.remoteBytesRead(),
                read.recordsRead(),
                m.diskBytesSpilled(),
                failed));
  }
}
