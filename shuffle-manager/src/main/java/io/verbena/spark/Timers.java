package io.verbena.spark;

import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;

/** Makes timers that keep no process alive. */
final class Timers {
  private Timers() {}

  /** A timer of one daemon thread, which begins with the first task. */
  static ScheduledExecutorService daemon(String threadName) {
    return Executors.newSingleThreadScheduledExecutor(
        work -> {
          Thread thread = new Thread(work, threadName);
          thread.setDaemon(true);
          return thread;
        });
  }
}
