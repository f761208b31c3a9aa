package io.verbena.spark;

import com.fasterxml.jackson.databind.node.LongNode;
import io.verbena.log.KeyedLogger;
import io.verbena.spark.ui.ShuffleFiguresEvent;
import io.verbena.spark.ui.ShuffleUi;
import java.util.List;
import java.util.Optional;
import org.apache.spark.SparkContext;
import org.apache.spark.SparkContext$;
import org.apache.spark.scheduler.EventLoggingListener;
import org.apache.spark.scheduler.SparkListener;
import org.apache.spark.scheduler.SparkListenerApplicationEnd;
import scala.Option;

/** Puts figures on the driver's listener bus: for its page and its event log, where it has them. */
final class DriverEvents {
  private static final KeyedLogger LOG = KeyedLogger.of(DriverEvents.class);

  /** All figures as the application ends. */
  @FunctionalInterface
  interface LastFigures {
    List<ExecutorFigures> get() throws InterruptedException;
  }

  private DriverEvents() {}

  /**
   * Starts; never fails, for no shuffle may fail by what only shows it.
   *
   * @return what takes the figures; empty where nothing would show them
   */
  static Optional<FigureFeed> start(LastFigures last) {
    try {
      Option<SparkContext> context = SparkContext$.MODULE$.getActive();
      if (context.isDefined()) {
        return start(context.get(), last);
      }
      LOG.debug("No active Spark context, so no events");
    } catch (RuntimeException | LinkageError e) {
      LOG.warn(
          "There is no page \"RDMA Shuffle\" in the UI, and nothing for it in the event log; the"
              + " shuffle itself is as always. Is this a supported version of Spark?",
          e);
    }
    return Optional.empty();
  }

  private static Optional<FigureFeed> start(SparkContext context, LastFigures last) {
    boolean page = context.ui().isDefined() && ShuffleUi.attach(context, context.ui().get());
    if (context.ui().isDefined() && !page) {
      LOG.info(
          "Spark {} has no page \"RDMA Shuffle\" in its UI: that takes Spark 4", context.version());
    }
    Option<EventLoggingListener> log = context.eventLogger();
    if (!page && log.isEmpty()) {
      return Optional.empty();
    }
    FigureFeed feed =
        new FigureFeed(
            rows -> context.listenerBus().post(event(rows)),
            FigureFeed.FIRST_MILLIS,
            FigureFeed.INTERVAL_MILLIS);
    if (log.isDefined()) {
      context.listenerBus().addToEventLogQueue(new LastEvents(feed, last, log.get()));
    }
    return Optional.of(feed);
  }

  private static ShuffleFiguresEvent event(List<ExecutorFigures> rows) {
    return new ShuffleFiguresEvent(
        LongNode.valueOf(System.currentTimeMillis()), ShuffleReport.rows(rows));
  }

  /**
   * Writes the last figures into the event log. As the application ends, Spark tells executors to
   * end and stops the bus at once: their last figures come when nothing can be posted any more.
   * Spark waits for the listeners, though, and closes the log after that. So this one, which runs
   * on the log's own thread, waits for the figures and hands them to the log itself.
   */
  private static final class LastEvents extends SparkListener {
    private final FigureFeed feed;
    private final LastFigures last;
    private final EventLoggingListener log;

    LastEvents(FigureFeed feed, LastFigures last, EventLoggingListener log) {
      this.feed = feed;
      this.last = last;
      this.log = log;
    }

    @Override
    public void onApplicationEnd(SparkListenerApplicationEnd end) {
      try {
        feed.finish(last.get()).forEach(rows -> log.onOtherEvent(event(rows)));
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }
  }
}
