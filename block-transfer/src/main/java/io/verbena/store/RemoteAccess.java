package io.verbena.store;

import io.verbena.memory.MemoryView;
import io.verbena.table.RemoteKey;
import java.util.List;

/**
 * A network adapter through which peers READ this process's memory.
 *
 * <p>Threads: any.
 */
public interface RemoteAccess {
  /** No adapter. */
  RemoteAccess NONE =
      new RemoteAccess() {
        @Override
        public List<String> addresses() {
          return List.of();
        }

        @Override
        public RemoteKey export(MemoryView memory) {
          return null;
        }

        @Override
        public void withdraw(MemoryView memory) {}

        @Override
        public void serve(long nonceHigh, long nonceLow, MemoryView control) {}
      };

  /** Where peers connect to, as {@code address:port}; empty when they cannot. */
  List<String> addresses();

  /**
   * Lets peers READ memory until it is withdrawn or the adapter is closed. It is pinned, so that
   * takes as long as touching all of it.
   *
   * @return null when the adapter cannot; the reason was logged
   */
  RemoteKey export(MemoryView memory);

  /**
   * Ends what {@link #export} began for this very view, and unpins the memory. READs that come
   * later fail and break their connection. Without effect on memory that is not exported.
   */
  void withdraw(MemoryView memory);

  /** Lets peers in that look for the process of this nonce and begin with its control area. */
  void serve(long nonceHigh, long nonceLow, MemoryView control);
}
