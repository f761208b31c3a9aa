package io.verbena.transport.verbs.impl;

import com.ibm.disni.verbs.impl.NativeDispatcher;
import io.verbena.memory.MemoryView;
import io.verbena.memory.NativeBuffer;
import io.verbena.transport.verbs.Fabric;
import java.io.IOException;

/** An array of {@code ibv_wc} that a completion queue is polled into. */
final class PolledCompletions implements Fabric.Completions {
  private static final int WR_ID = 0;
  private static final int STATUS = 8;
  private static final int VENDOR_ERROR = 16;
  private static final int LENGTH = 20;

  private final NativeDispatcher disni;
  private final long queue;
  private final int capacity;
  private final int size;
  private final NativeBuffer memory;
  private final MemoryView view;

  PolledCompletions(NativeDispatcher disni, long queue, int capacity) {
    this.disni = disni;
    this.queue = queue;
    this.capacity = capacity;
    this.size = disni._getIbvWCSize();
    this.memory = new NativeBuffer(capacity * size);
    this.view = memory.view();
  }

  @Override
  public int poll() throws IOException {
    int count = disni._pollCQ(queue, capacity, view.address());
    if (count < 0) {
      throw new IOException("ibv_poll_cq: error " + count);
    }
    return count;
  }

  @Override
  public long wrId(int index) {
    return view.getLong(index * size + WR_ID);
  }

  @Override
  public int status(int index) {
    return view.getInt(index * size + STATUS);
  }

  @Override
  public int vendorError(int index) {
    return view.getInt(index * size + VENDOR_ERROR);
  }

  @Override
  public int length(int index) {
    return view.getInt(index * size + LENGTH);
  }

  @Override
  public void close() {
    memory.close();
  }
}
