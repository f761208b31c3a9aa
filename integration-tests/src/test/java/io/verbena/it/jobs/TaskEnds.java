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

  private final Map<Integer, Integer> attempts = new HashMap<>();
  private Runnable killedAction = () -> {};
  private Runnable zombieAction = () -> {};
  private int killed;

  /** From now on, what to do when a task was killed; they are counted anew. */
  synchronized void onKilled(Runnable action) {
    killedAction = action;
    killed = 0;
  }

  /** What to do when a task of a stage's attempt that is not the last one ends well. */
  synchronized void onZombie(Runnable action) {
    zombieAction = action;
  }

  /** Waits until this many tasks were killed. */
  void awaitKilled(int count) throws InterruptedException {
    Await.until(count + " killed tasks", LIMIT, () -> killed() >= count);
  }

  private synchronized int killed() {
    return killed;
  }

  @Override
  public synchronized void onStageSubmitted(SparkListenerStageSubmitted submitted) {
    attempts.merge(
        submitted.stageInfo().stageId(), submitted.stageInfo().attemptNumber(), Math::max);
  }

  @Override
  public synchronized void onTaskEnd(SparkListenerTaskEnd end) {
    if (end.reason() instanceof TaskKilled) {
      killed++;
      killedAction.run();
    } else if (end.reason() instanceof Success$
        && end.stageAttemptId() < attempts.getOrDefault(end.stageId(), 0)) {
      zombieAction.run();
    }
  }
}
