package io.verbena.transport;

import io.verbena.store.StoreDescriptor;

/**
 * A way to reach peers' memory. One per process and kind.
 *
 * <p>Threads: all methods from any thread.
 */
public interface Transport extends AutoCloseable {
  /** Name in options, metrics and messages, for instance {@code shm}. */
  String name();

  /**
   * Opens a connection to a peer.
   *
   * @throws UnreachableException when this transport cannot reach the peer; the policy then takes
   *     the next one. The message says why and how to mend it.
   */
  Connection connect(String executorId, StoreDescriptor peer) throws UnreachableException;

  /** Closes all connections. Idempotent. */
  @Override
  void close();
}
