package io.verbena.memory;

import java.util.ArrayDeque;

/**
 * Buffers in which runs are put together, kept for the next one: fresh native memory would be slow
 * to touch. There are never more than runs written at one time.
 */
public final class StagingBuffers implements AutoCloseable {
  private final ArrayDeque<NativeBuffer> idle = new ArrayDeque<>();
  private boolean closed;

  StagingBuffers() {}

  /** Takes a buffer of {@code capacity} bytes. */
  public NativeBuffer take(int capacity) {
    synchronized (this) {
      NativeBuffer buffer = idle.poll();
      if (buffer != null && buffer.view().capacity() == capacity) {
        return buffer;
      }
      if (buffer != null) {
        buffer.close();
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

  @Override
  public synchronized void close() {
    closed = true;
    while (!idle.isEmpty()) {
      idle.poll().close();
    }
  }
}
