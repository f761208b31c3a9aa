package io.verbena.transport.verbs;

import io.verbena.memory.MemoryView;
import io.verbena.memory.NativeBuffer;
import io.verbena.transport.Transport.Registration;
import java.io.IOException;

/** Registered memory of one queue pair: a message that goes out, one that comes in, and scratch. */
final class ChannelMemory implements AutoCloseable {
  static final int OUT = 0;
  static final int IN = Handshake.MESSAGE_ROOM;
  static final int SCRATCH = 2 * Handshake.MESSAGE_ROOM;

  private final NativeBuffer buffer;
  private final Registration registration;
  private final int key;

  ChannelMemory(LocalMemory local, int scratch) throws IOException {
    buffer = new NativeBuffer(SCRATCH + scratch);
    view().zero(0, view().capacity());
    try {
      registration = local.receive(view());
      key = local.localKey(view(), 0, view().capacity());
    } catch (IOException | RuntimeException e) {
      buffer.close();
      throw e;
    }
  }

  MemoryView view() {
    return buffer.view();
  }

  int key() {
    return key;
  }

  long address(int offset) {
    return view().address() + offset;
  }

  /** Call it when no work request uses it any more. Idempotent. */
  @Override
  public void close() {
    registration.close();
    buffer.close();
  }
}
