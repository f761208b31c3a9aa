package io.verbena.spark;

import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * Sends an executor's figures to the driver: after a task, at most once per interval, with a last
 * time once the interval is over, and only when something changed.
 *
 * <p>Threads: any.
 */
final class FigurePusher implements AutoCloseable {
  /** Where figures go. */
  @FunctionalInterface
  interface Sender {
    void send(ExecutorFigures figures, boolean last);
  }

  static final long INTERVAL_MILLIS = 1_000;

  private final Supplier<ExecutorFigures> figures;
  private final Sender sender;
  private final ScheduledExecutorService timer;
  private ExecutorFigures sent;
  private boolean scheduled;
  private boolean closed;
  private long nextNanos = System.nanoTime();

  FigurePusher(Supplier<ExecutorFigures> figures, Sender sender) {
    this.figures = figures;
    this.sender = sender;
    this.timer = Timers.daemon("verbena-figures");
  }

  /** A task has ended. */
  synchronized void taskEnded() {
    if (closed || scheduled) {
      return;
    }
    scheduled = true;
    long delay = Math.max(0, nextNanos - System.nanoTime());
    var unused = timer.schedule(this::push, delay, TimeUnit.NANOSECONDS);
  }

  private synchronized void push() {
    scheduled = false;
    nextNanos = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(INTERVAL_MILLIS);
    ExecutorFigures now = figures.get();
    if (!closed && !now.equals(sent)) {
      sent = now;
      sender.send(now, false);
    }
  }

  /** Sends the last figures. Idempotent. */
  @Override
  public synchronized void close() {
    if (!closed) {
      closed = true;
      timer.shutdownNow();
      sender.send(figures.get(), true);
    }
  }
}
