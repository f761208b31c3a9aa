package io.verbena.transport.verbs;

import io.verbena.log.KeyedLogger;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/**
 * The completion queues of a device and the thread that polls them: it looks for a short while and
 * then sleeps until the device gives notice.
 *
 * <p>A completion queue is never asked to hold more than it has room for: each queue pair takes the
 * room of all its work requests when it is made, and when no queue has it a further one is made.
 */
final class Poller implements AutoCloseable {
  private static final KeyedLogger LOG = KeyedLogger.of(Poller.class);

  private static final int BATCH = 64;
  private static final int MOST_ENTRIES = 16 << 10;
  private static final int SLEEP_MILLIS = 500;
  private static final long END_MILLIS = 5_000;

  private final Fabric fabric;
  private final Endpoints endpoints;
  private final int entries;
  private final long spinNanos;
  private final Consumer<String> onFailure;
  private final Thread thread;

  // Replaced, never changed.
  private volatile Queue[] queues = {};
  private volatile boolean closed;

  /** A completion queue and the room that is left in it. */
  static final class Queue {
    final long handle;
    private final Fabric.Completions completions;
    private int room;

    Queue(long handle, Fabric.Completions completions, int room) {
      this.handle = handle;
      this.completions = completions;
      this.room = room;
    }
  }

  /**
   * Starts the thread.
   *
   * @param maxEntries most entries of a completion queue of this device
   * @param onFailure told once when completions cannot be had any more
   */
  Poller(
      Fabric fabric,
      Endpoints endpoints,
      int maxEntries,
      Duration spin,
      Consumer<String> onFailure) {
    this.fabric = fabric;
    this.endpoints = endpoints;
    this.entries = Math.min(MOST_ENTRIES, maxEntries);
    this.spinNanos = spin.toNanos();
    this.onFailure = onFailure;
    this.thread = new Thread(this::run, "verbena-verbs-poller");
    thread.setDaemon(true);
    thread.start();
  }

  /** Takes room for a queue pair's work requests. */
  synchronized Queue take(int room) throws IOException {
    if (closed) {
      throw new IOException("the verbs transport of this process is closed");
    }
    for (Queue queue : queues) {
      if (queue.room >= room) {
        queue.room -= room;
        return queue;
      }
    }
    int size = Math.max(room, entries);
    long handle = fabric.newCompletionQueue(size);
    Queue queue = new Queue(handle, fabric.newCompletions(handle, BATCH), size - room);
    List<Queue> more = new ArrayList<>(List.of(queues));
    more.add(queue);
    queues = more.toArray(Queue[]::new);
    // The thread may be asleep and not know the new queue.
    fabric.requestNotice(handle);
    return queue;
  }

  /** Gives room back, once the queue pair is gone. */
  synchronized void give(Queue queue, int room) {
    queue.room += room;
  }

  Thread thread() {
    return thread;
  }

  boolean isPollerThread() {
    return Thread.currentThread() == thread;
  }

  private void run() {
    try {
      while (!closed) {
        if (!poll()) {
          await();
        }
      }
    } catch (IOException | RuntimeException e) {
      if (!closed) {
        LOG.warn(
            "Completions of the RDMA device cannot be had any more; see the kernel's log for its"
                + " fault",
            e);
        onFailure.accept("its completions cannot be had any more: " + e.getMessage());
      }
    }
  }

  /** Looks for completions as long as spinning is worth it; false when none came. */
  private boolean poll() throws IOException {
    long start = System.nanoTime();
    boolean found = false;
    do {
      if (pollOnce()) {
        found = true;
        start = System.nanoTime();
      } else {
        Thread.onSpinWait();
      }
    } while (!closed && System.nanoTime() - start < spinNanos);
    return found;
  }

  private boolean pollOnce() throws IOException {
    boolean found = false;
    for (Queue queue : queues) {
      int count = queue.completions.poll();
      for (int i = 0; i < count; i++) {
        dispatch(queue.completions, i);
      }
      found |= count > 0;
    }
    return found;
  }

  private void dispatch(Fabric.Completions completions, int i) {
    long wrId = completions.wrId(i);
    Endpoints.Endpoint endpoint = endpoints.find(wrId);
    if (endpoint == null) {
      return;
    }
    try {
      endpoint.completed(Endpoints.low(wrId), completions.status(i), completions.vendorError(i));
    } catch (RuntimeException e) {
      LOG.error(
          "A completion was not handled; its READ ends by spark.shuffle.rdma.fetch.timeout; please"
              + " report it",
          e);
    }
  }

  private void await() throws IOException {
    for (Queue queue : queues) {
      fabric.requestNotice(queue.handle);
    }
    // What came before notice was requested gives none.
    if (!pollOnce() && !closed) {
      fabric.awaitCompletion(SLEEP_MILLIS);
    }
  }

  /** Ends the thread. Idempotent. */
  @Override
  public void close() {
    closed = true;
    if (isPollerThread()) {
      return;
    }
    Threads.join(thread, END_MILLIS);
    if (thread.isAlive()) {
      LOG.warn(
          "The completion poller did not end within {} ms; its memory stays until this process"
              + " ends; please report it",
          END_MILLIS);
      return;
    }
    for (Queue queue : queues) {
      queue.completions.close();
    }
    queues = new Queue[0];
  }
}
