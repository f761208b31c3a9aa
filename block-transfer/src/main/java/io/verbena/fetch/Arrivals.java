package io.verbena.fetch;

import java.util.ArrayDeque;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * What has come for one task from other threads. After {@link #close} everything that comes is
 * discarded at once.
 */
final class Arrivals {
  /** Something that has come. */
  interface Arrival {
    /** Takes it in; on the task's thread. */
    void arrive();

    /** Gives its memory back; the task is over. */
    void discard();
  }

  private final ReentrantLock lock = new ReentrantLock();
  private final Condition come = lock.newCondition();
  private final ArrayDeque<Arrival> queue = new ArrayDeque<>();
  private boolean closed;

  void add(Arrival arrival) {
    lock.lock();
    try {
      if (!closed) {
        queue.add(arrival);
        come.signal();
        return;
      }
    } finally {
      lock.unlock();
    }
    arrival.discard();
  }

  /** The next arrival, null when there is none now. */
  Arrival poll() {
    lock.lock();
    try {
      return queue.poll();
    } finally {
      lock.unlock();
    }
  }

  /** Waits for an arrival; null when none came in time. */
  Arrival await(long nanos) {
    long left = nanos;
    lock.lock();
    try {
      while (queue.isEmpty()) {
        if (left <= 0) {
          return null;
        }
        left = come.awaitNanos(left);
      }
      return queue.poll();
    } catch (InterruptedException e) {
      throw new FetchInterruptedException(e);
    } finally {
      lock.unlock();
    }
  }

  void close() {
    ArrayDeque<Arrival> rest;
    lock.lock();
    try {
      closed = true;
      rest = new ArrayDeque<>(queue);
      queue.clear();
    } finally {
      lock.unlock();
    }
    rest.forEach(Arrival::discard);
  }

  static long nanos(java.time.Duration timeout) {
    return TimeUnit.NANOSECONDS.convert(timeout);
  }
}
