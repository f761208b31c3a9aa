package io.verbena.fetch;

import io.verbena.transport.Read;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * READs into one buffer that are in flight together. The buffer belongs to the connection until the
 * last of them has completed; a task that gives up leaves it there.
 *
 * <p>Threads: the task's, except {@link #done}, which the connection calls.
 */
final class Pending implements Read.Completion, Arrivals.Arrival {
  private static final int TASK = 1 << 30;

  private final ReceiveBuffers pool;
  private final ReceiveBuffer buffer;
  private final Arrivals arrivals;
  private final Runnable onArrival;
  // READs in flight, and TASK while the task holds the buffer.
  private final AtomicInteger holds = new AtomicInteger(TASK);
  private volatile IOException failure;
  private long postedNanos;
  private int posted;
  private ReadMeter meter;

  /**
   * Makes a group of READs.
   *
   * @param arrivals told of the end when the connection is not synchronous; null to {@link #await}
   * @param onArrival runs on the task's thread then
   */
  Pending(ReceiveBuffers pool, ReceiveBuffer buffer, Arrivals arrivals, Runnable onArrival) {
    this.pool = pool;
    this.buffer = buffer;
    this.arrivals = arrivals;
    this.onArrival = onArrival;
  }

  ReceiveBuffer buffer() {
    return buffer;
  }

  /** Posts READs whose completion is this object. Call it once. */
  void post(PeerLink.Route route, List<Read> reads) throws IOException {
    posted = reads.size();
    meter = route.meter();
    holds.addAndGet(posted);
    meter.posted(posted);
    postedNanos = System.nanoTime();
    try {
      route.connection().post(reads);
    } catch (IOException | RuntimeException e) {
      holds.addAndGet(-posted);
      meter.refused(posted);
      throw e;
    }
  }

  @Override
  public void done(IOException cause) {
    if (cause != null && failure == null) {
      failure = cause;
    }
    int left = holds.decrementAndGet();
    if ((left & (TASK - 1)) != 0) {
      return;
    }
    meter.completed(posted, postedNanos);
    if (left == 0) {
      pool.give(buffer);
    } else {
      if (arrivals != null) {
        arrivals.add(this);
      } else {
        synchronized (this) {
          notifyAll();
        }
      }
    }
  }

  /** When the READs were posted. */
  long postedNanos() {
    return postedNanos;
  }

  boolean complete() {
    return holds.get() == TASK;
  }

  /** Why a READ failed; null when none did. */
  IOException failure() {
    return failure;
  }

  /** Waits for the end; false when it did not come in time. */
  boolean await(long nanos) {
    long end = System.nanoTime() + nanos;
    synchronized (this) {
      while (!complete()) {
        long millis = (end - System.nanoTime()) / 1_000_000;
        if (millis <= 0) {
          return complete();
        }
        try {
          wait(millis);
        } catch (InterruptedException e) {
          throw new FetchInterruptedException(e);
        }
      }
    }
    return true;
  }

  /** The task's hold ends: the buffer goes back now, or with the last completion. Call it once. */
  void release() {
    if (holds.addAndGet(-TASK) == 0) {
      pool.give(buffer);
    }
  }

  @Override
  public void arrive() {
    onArrival.run();
  }

  @Override
  public void discard() {
    // The task has released it, or will: nothing is held by the arrival itself.
  }
}
