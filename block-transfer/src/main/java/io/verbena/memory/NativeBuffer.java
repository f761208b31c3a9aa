package io.verbena.memory;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * Native memory of this process alone, freed by its owner. Fresh native memory costs a page fault
 * every 4 KiB, which on virtual machines is slower than the network: keep buffers and use them
 * again.
 *
 * <p>Threads: one user at a time; nobody may touch views of it after {@link #close}.
 */
public final class NativeBuffer implements AutoCloseable {
  private final ByteBuffer memory;
  private final MemoryView view;
  private boolean closed;

  /** Takes {@code capacity} bytes. */
  public NativeBuffer(int capacity) {
    memory = ByteBuffer.allocateDirect(capacity).order(ByteOrder.nativeOrder());
    view = MemoryView.of(memory);
  }

  /** The whole buffer. */
  public MemoryView view() {
    return view;
  }

  /** The same memory for channels and checksums; position and limit are the user's to set. */
  public ByteBuffer bytes() {
    return memory;
  }

  /** Frees the memory. Idempotent. */
  @Override
  public synchronized void close() {
    if (!closed) {
      closed = true;
      Raw.free(memory);
    }
  }
}
