package io.verbena.memory;

import java.io.IOException;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;

/**
 * A read-only mapping of a file that belongs to another process.
 *
 * <p>Threads: any may read; whoever closes it makes sure that nobody reads any more, because a read
 * after unmapping ends the process.
 */
public final class PeerMapping implements AutoCloseable {
  private final MappedByteBuffer mapped;
  private final MemoryView view;
  private boolean closed;

  private PeerMapping(MappedByteBuffer mapped) {
    this.mapped = mapped;
    this.view = MemoryView.of(mapped);
  }

  /**
   * Maps the first {@code length} bytes of a file. The channel may be closed afterwards.
   *
   * @throws IOException when the file is shorter, since touching what is missing would be fatal
   */
  public static PeerMapping of(FileChannel channel, String name, int length) throws IOException {
    long size = channel.size();
    if (size < length) {
      throw new IOException(
          "cannot map " + name + ": it has " + size + " bytes, expected at least " + length);
    }
    return new PeerMapping(channel.map(FileChannel.MapMode.READ_ONLY, 0, length));
  }

  /** The mapped bytes, valid until {@link #close}; never written through. */
  public MemoryView view() {
    return view;
  }

  /** Unmaps. Idempotent. */
  @Override
  public synchronized void close() {
    if (!closed) {
      closed = true;
      Raw.free(mapped);
    }
  }
}
