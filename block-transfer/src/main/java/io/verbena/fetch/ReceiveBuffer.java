package io.verbena.fetch;

import io.verbena.memory.MemoryView;
import io.verbena.transport.Transport;
import java.nio.ByteBuffer;
import java.util.List;

/**
 * Memory that READs write into: room for a chunk, then a trailer for the generation word.
 *
 * <p>Threads: owned by one task, or by a connection while READs into it are in flight.
 */
final class ReceiveBuffer {
  private static final int TRAILER = 64;

  private final MemoryView whole;
  private final MemoryView data;
  private final ByteBuffer bytes;
  private final int word;
  private final List<Transport.Registration> registrations;

  ReceiveBuffer(int room, List<Transport> transports) {
    // Whole words, so that the trailer is aligned.
    this.word = Math.addExact(room, Long.BYTES - 1) & -Long.BYTES;
    ByteBuffer memory = ByteBuffer.allocateDirect(Math.addExact(word, TRAILER));
    this.whole = MemoryView.of(memory);
    this.data = whole.slice(0, room);
    this.bytes = whole.buffer(0, room);
    this.registrations = transports.stream().map(each -> each.register(whole)).toList();
  }

  /** The room for data. */
  MemoryView data() {
    return data;
  }

  /** Data and trailer: what READs are posted into. */
  MemoryView whole() {
    return whole;
  }

  /** Offset in {@link #whole} of 8 bytes for a generation word. */
  int wordOffset() {
    return word;
  }

  /** Nobody reads into it any more. */
  void discard() {
    registrations.forEach(Transport.Registration::close);
  }

  /** A window on the data, the same object each time. */
  ByteBuffer window(int offset, int length) {
    return bytes.limit(offset + length).position(offset);
  }
}
