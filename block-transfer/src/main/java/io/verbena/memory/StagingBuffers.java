package io.verbena.memory;

import java.util.ArrayDeque;

/**
 * Buffers of one size in which runs are put together, kept for the next run: fresh native memory is
 * slow to touch. There are never more of them than runs were written at one time.
 *
 * <p>Threads: any.
 */
public final class StagingBuffers implements AutoCloseable {
  private final int capacity;
  private final ArrayDeque<NativeBuffer> idle = new ArrayDeque<>();
  private boolean closed;

  /** Buffers of {@code capacity} bytes each, made as they are needed. */
  public StagingBuffers(int capacity) {
    this.capacity = capacity;
  }

  /** Takes a buffer. */
  public NativeBuffer take() {
    synchronized (this) {
      NativeBuffer buffer = idle.poll();
      if (buffer != null) {
        return buffer;
      }
    }
    return new NativeBuffer(capacity);
  }

  /** Gives a buffer back; nobody may touch it afterwards. */
  public synchronized void giveBack(NativeBuffer buffer) {
    if (closed) {
      buffer.close();
    } else {
      idle.push(buffer);
    }
  }

  /** Frees the idle buffers; those in use are freed as they come back. */
  @Override
  public synchronized void close() {
    closed = true;
    for (NativeBuffer buffer = idle.poll(); buffer != null; buffer = idle.poll()) {
      buffer.close();
    }
  }
}
