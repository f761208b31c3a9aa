package io.verbena.memory;

import java.io.IOException;
import java.nio.file.Path;

/**
 * A read-only mapping of a file that belongs to another process.
 *
 * <p>Threads: any may read; whoever closes it makes sure that nobody reads any more, because a read
 * after unmapping ends the process.
 */
public final class PeerMapping implements AutoCloseable {
  private final Mapping mapping;
  private final MemoryView view;
  private boolean closed;

  private PeerMapping(Mapping mapping) {
    this.mapping = mapping;
    this.view = MemoryView.of(mapping.bytes());
  }

  /**
   * Maps the first {@code length} bytes of a file.
   *
   * @throws IOException when the file is shorter, since touching what is missing would be fatal
   */
  public static PeerMapping of(Path path, int length) throws IOException {
    return new PeerMapping(Mapping.of(path, length, false));
  }

  /** Whether mappings of this process use the huge pages that their files lie in. */
  public static boolean usesHugePages() {
    return NativeMemory.available();
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
      mapping.unmap();
    }
  }
}
