package io.verbena.transport;

import io.verbena.memory.MemoryView;
import io.verbena.store.StoreDescriptor;

/**
 * A way to reach peers' memory. One per process and kind.
 *
 * <p>Threads: all methods from any thread.
 */
public interface Transport extends AutoCloseable {
  /** Name in options, metrics and messages, for instance {@code shm}. */
  String name();

  /** Whether peers on other hosts are out of its reach, as a rule: not to reach one is no fault. */
  default boolean isForOneHost() {
    return false;
  }

  /**
   * Opens a connection to a peer.
   *
   * @throws UnreachableException when this transport cannot reach the peer; the policy then takes
   *     the next one. The message says why and how to mend it.
   */
  Connection connect(String executorId, StoreDescriptor peer) throws UnreachableException;

  /**
   * Tells the transport of memory that READs will write into, before the first of them. Memory that
   * is told to a transport without need costs nothing; a transport that cannot use the memory says
   * so in its log, and READs into it fail.
   *
   * @return close it before the memory is freed, when no READ into it is in flight
   */
  default Registration register(MemoryView memory) {
    return NO_REGISTRATION;
  }

  /** Nothing to be undone. */
  Registration NO_REGISTRATION = () -> {};

  /** Memory that a transport knows. */
  @FunctionalInterface
  interface Registration extends AutoCloseable {
    /** Idempotent. */
    @Override
    void close();
  }

  /** Closes all connections. Idempotent. */
  @Override
  void close();
}
