package io.verbena.it.jobs;

import io.verbena.it.cluster.Await;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.apache.spark.Success$;
import org.apache.spark.TaskKilled;
import org.apache.spark.scheduler.SparkListener;
import org.apache.spark.scheduler.SparkListenerStageSubmitted;
import org.apache.spark.scheduler.SparkListenerTaskEnd;

/** Tells of attempts of tasks that end although nobody wants them any more. */
final class TaskEnds extends SparkListener {
  private static final Duration LIMIT = Duration.ofMinutes(3);
  private static final String GROUP_PROPERTY = "spark.jobGroup.id";

  private final Map<Integer, Integer> attempts = new HashMap<>();
  private Runnable killedAction = () -> {};
  private Runnable zombieAction = () -> {};
  private final Map<Integer, String> groups = new HashMap<>();
  private final Map<String, Integer> killed = new HashMap<>();

  /** What to do when a task was killed. */
  synchronized void onKilled(Runnable action) {
    killedAction = action;
  }

  /** What to do when a task of a stage's attempt that is not the last one ends well. */
  synchronized void onZombie(Runnable action) {
    zombieAction = action;
  }

  /** Waits until this many tasks of a job group were killed. */
  void awaitKilled(String group, int count) throws InterruptedException {
    Await.until(count + " killed tasks", LIMIT, () -> killed(group) >= count);
  }

  private synchronized int killed(String group) {
    return killed.getOrDefault(group, 0);
  }

  @Override
  public synchronized void onStageSubmitted(SparkListenerStageSubmitted submitted) {
    attempts.merge(
        submitted.stageInfo().stageId(), submitted.stageInfo().attemptNumber(), Math::max);
    if (submitted.properties() != null) {
      groups.put(
          submitted.stageInfo().stageId(), submitted.properties().getProperty(GROUP_PROPERTY, ""));
    }
  }

  @Override
  public synchronized void onTaskEnd(SparkListenerTaskEnd end) {
    if (end.reason() instanceof TaskKilled) {
      killed.merge(groups.getOrDefault(end.stageId(), ""), 1, Integer::sum);
      killedAction.run();
    } else if (end.reason() instanceof Success$
        && end.stageAttemptId() < attempts.getOrDefault(end.stageId(), 0)) {
      zombieAction.run();
    }
  }
}
