package io.verbena.apps.tpch;

import java.util.HashMap;
import java.util.Map;
import org.apache.spark.scheduler.SparkListener;
import org.apache.spark.scheduler.SparkListenerStageSubmitted;
import org.apache.spark.scheduler.SparkListenerTaskEnd;

/**
 * Sums tasks by the run that they belong to. A run is a value of {@link #PROPERTY}, which jobs of
 * other threads that Spark starts for a query inherit, unlike a job group.
 *
 * <p>Threads: the listener bus's, and the driver's once the context has stopped.
 */
final class TaskCounter extends SparkListener {
  static final String PROPERTY = "verbena.tpch.run";

  private final Map<Integer, String> runs = new HashMap<>();
  private final Map<String, ShuffleTotals> totals = new HashMap<>();

  @Override
  public synchronized void onStageSubmitted(SparkListenerStageSubmitted stage) {
    String run = stage.properties() == null ? null : stage.properties().getProperty(PROPERTY);
    if (run != null) {
      runs.put(stage.stageInfo().stageId(), run);
    }
  }

  @Override
  public synchronized void onTaskEnd(SparkListenerTaskEnd end) {
    String run = runs.get(end.stageId());
    if (run != null) {
      totals.merge(
          run,
          ShuffleTotals.of(end.taskMetrics(), end.taskInfo().successful()),
          ShuffleTotals::plus);
    }
  }

  synchronized ShuffleTotals of(String run) {
    return totals.getOrDefault(run, ShuffleTotals.NONE);
  }
}
