package io.verbena.transport.verbs.impl;

import com.ibm.disni.verbs.impl.NativeDispatcher;
import io.verbena.memory.MemoryView;
import io.verbena.memory.NativeBuffer;
import io.verbena.transport.verbs.Fabric;
import java.io.IOException;

/** Chained {@code ibv_send_wr} of READs, with one {@code ibv_sge} each, written in place. */
final class ReadRequests implements Fabric.WorkRequests {
  private static final int WR_ID = 0;
  private static final int NEXT = 8;
  private static final int SGE_LIST = 16;
  private static final int SGE_COUNT = 24;
  private static final int OPCODE = 28;
  private static final int FLAGS = 32;

  private static final int SGE_ADDRESS = 0;
  private static final int SGE_LENGTH = 8;
  private static final int SGE_KEY = 12;

  private static final int RDMA_READ = 4;
  private static final int FENCE = 1;
  private static final int SIGNALED = 1 << 1;

  private final NativeDispatcher disni;
  private final NativeBuffer memory;
  private final MemoryView view;
  private final int capacity;
  private final int size;
  private final int sgeSize;
  private final int remoteAddress;
  private final int remoteKey;

  ReadRequests(NativeDispatcher disni, int capacity) {
    this.disni = disni;
    this.capacity = capacity;
    this.size = disni._getIbvSendWRSize();
    this.sgeSize = disni._getIbvSgeSize();
    this.remoteAddress = disni._getRemoteAddressOffset();
    this.remoteKey = disni._getRKeyOffset();
    this.memory = new NativeBuffer(capacity * (size + sgeSize));
    this.view = memory.view();
    for (int i = 0; i < capacity; i++) {
      view.putLong(i * size + NEXT, view.address() + (i + 1L) * size);
      view.putLong(i * size + SGE_LIST, view.address() + sge(i));
      view.putInt(i * size + SGE_COUNT, 1);
      view.putInt(i * size + OPCODE, RDMA_READ);
    }
  }

  private int sge(int index) {
    return capacity * size + index * sgeSize;
  }

  @Override
  public int capacity() {
    return capacity;
  }

  @Override
  public void read(
      int index,
      long wrId,
      long address,
      int key,
      long localAddress,
      int localKey,
      int length,
      boolean fence,
      boolean signal) {
    int at = index * size;
    view.putLong(at + WR_ID, wrId);
    view.putInt(at + FLAGS, (fence ? FENCE : 0) | (signal ? SIGNALED : 0));
    view.putLong(at + remoteAddress, address);
    view.putInt(at + remoteKey, key);
    int sge = sge(index);
    view.putLong(sge + SGE_ADDRESS, localAddress);
    view.putInt(sge + SGE_LENGTH, length);
    view.putInt(sge + SGE_KEY, localKey);
  }

  @Override
  public void post(long queuePair, int count) throws IOException {
    int last = (count - 1) * size + NEXT;
    view.putLong(last, 0);
    try {
      disni._postSend(queuePair, view.address());
    } finally {
      view.putLong(last, view.address() + (long) count * size);
    }
  }

  @Override
  public void close() {
    memory.close();
  }
}
