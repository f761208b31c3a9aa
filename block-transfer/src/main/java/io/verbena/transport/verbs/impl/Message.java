package io.verbena.transport.verbs.impl;

import com.ibm.disni.verbs.impl.NativeDispatcher;
import io.verbena.memory.MemoryView;
import io.verbena.memory.NativeBuffer;
import java.io.IOException;

/** One SEND or receive; for the handshake alone. */
final class Message implements AutoCloseable {
  private static final int SEND = 2;
  private static final int SIGNALED = 1 << 1;

  private final NativeDispatcher disni;
  private final NativeBuffer memory;

  Message(NativeDispatcher disni, long wrId, long address, int length, int localKey) {
    this.disni = disni;
    int size = Math.max(disni._getIbvSendWRSize(), disni._getIbvRecvWRSize());
    memory = new NativeBuffer(size + disni._getIbvSgeSize());
    MemoryView view = memory.view();
    view.zero(0, view.capacity());
    view.putLong(0, wrId);
    view.putLong(16, view.address() + size);
    view.putInt(24, 1);
    view.putInt(28, SEND);
    view.putInt(32, SIGNALED);
    view.putLong(size, address);
    view.putInt(size + 8, length);
    view.putInt(size + 12, localKey);
  }

  void send(long queuePair) throws IOException {
    disni._postSend(queuePair, memory.view().address());
  }

  void receive(long queuePair) throws IOException {
    disni._postRecv(queuePair, memory.view().address());
  }

  @Override
  public void close() {
    memory.close();
  }
}
