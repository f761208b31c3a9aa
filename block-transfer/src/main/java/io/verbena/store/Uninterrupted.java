package io.verbena.store;

import java.io.IOException;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Work that must not be disturbed by interrupts of the thread that wants it. */
final class Uninterrupted {
  private Uninterrupted() {}

  /** Calls on a thread of its own and waits, whether interrupted or not. */
  static <T> T call(String name, long seconds, Callable<T> work) throws IOException {
    FutureTask<T> task = new FutureTask<>(work);
    Thread thread = new Thread(task, name);
    thread.setDaemon(true);
    thread.start();
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(seconds);
    boolean interrupted = false;
    try {
      for (; ; ) {
        try {
          return task.get(deadline - System.nanoTime(), TimeUnit.NANOSECONDS);
        } catch (InterruptedException e) {
          interrupted = true;
        }
      }
    } catch (ExecutionException e) {
      if (e.getCause() instanceof IOException io) {
        throw io;
      }
      throw new IOException(e.getCause());
    } catch (TimeoutException e) {
      throw new IOException(name + " did not end within " + seconds + " s", e);
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }
}
