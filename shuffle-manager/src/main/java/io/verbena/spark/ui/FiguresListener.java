package io.verbena.spark.ui;

import org.apache.spark.scheduler.SparkListener;
import org.apache.spark.scheduler.SparkListenerApplicationEnd;
import org.apache.spark.scheduler.SparkListenerEvent;
import org.apache.spark.scheduler.SparkListenerExecutorRemoved;

/** Feeds the state from Spark's events, of a living driver or from its log. */
final class FiguresListener extends SparkListener {
  private final ShuffleState state;

  FiguresListener(ShuffleState state) {
    this.state = state;
  }

  @Override
  public void onOtherEvent(SparkListenerEvent event) {
    if (event instanceof ShuffleFiguresEvent figures) {
      state.apply(figures);
    }
  }

  @Override
  public void onExecutorRemoved(SparkListenerExecutorRemoved removed) {
    state.executorEnded(removed.executorId(), removed.reason());
  }

  @Override
  public void onApplicationEnd(SparkListenerApplicationEnd end) {
    state.applicationEnded();
  }
}
