package io.verbena.spark;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * Hands on what has changed of executors' figures, for the page and the event log: at first after a
 * second, then at most once per interval and some executors at a time, so that a large
 * application's log does not grow by it more than by its tasks.
 *
 * <p>Threads: any.
 */
final class FigureFeed implements AutoCloseable {
  static final long FIRST_MILLIS = 1_000;
  static final long INTERVAL_MILLIS = 10_000;

  /** 20 executors a second. */
  static final int MOST_ROWS = 200;

  private final Consumer<List<ExecutorFigures>> sink;
  private final long intervalMillis;
  private final ScheduledExecutorService timer;
  private final Map<String, ExecutorFigures> changed = new LinkedHashMap<>();
  private final Map<String, ExecutorFigures> sent = new HashMap<>();
  private boolean scheduled;
  private boolean closed;
  private long nextNanos;

  FigureFeed(Consumer<List<ExecutorFigures>> sink, long firstMillis, long intervalMillis) {
    this.sink = sink;
    this.intervalMillis = intervalMillis;
    this.nextNanos = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(firstMillis);
    this.timer = Timers.daemon("verbena-events");
  }

  /** An executor's figures have come. */
  synchronized void changed(ExecutorFigures figures) {
    if (closed) {
      return;
    }
    changed.put(figures.executorId(), figures);
    schedule();
  }

  private void schedule() {
    if (!scheduled) {
      scheduled = true;
      long delay = Math.max(0, nextNanos - System.nanoTime());
      var unused = timer.schedule(this::send, delay, TimeUnit.NANOSECONDS);
    }
  }

  private void send() {
    List<ExecutorFigures> rows = new ArrayList<>();
    synchronized (this) {
      scheduled = false;
      nextNanos = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(intervalMillis);
      if (closed) {
        return;
      }
      Iterator<ExecutorFigures> next = changed.values().iterator();
      while (next.hasNext() && rows.size() < MOST_ROWS) {
        rows.add(next.next());
        next.remove();
      }
      rows.forEach(row -> sent.put(row.executorId(), row));
      if (!changed.isEmpty()) {
        schedule();
      }
    }
    sink.accept(rows);
  }

  /** Ends it, and gives those of the last figures that were not handed on, in lists of some. */
  synchronized List<List<ExecutorFigures>> finish(List<ExecutorFigures> last) {
    close();
    List<ExecutorFigures> rows =
        last.stream().filter(row -> !row.equals(sent.get(row.executorId()))).toList();
    List<List<ExecutorFigures>> lists = new ArrayList<>();
    for (int i = 0; i < rows.size(); i += MOST_ROWS) {
      lists.add(rows.subList(i, Math.min(rows.size(), i + MOST_ROWS)));
    }
    return lists;
  }

  /** Idempotent. */
  @Override
  public synchronized void close() {
    closed = true;
    changed.clear();
    timer.shutdownNow();
  }
}
