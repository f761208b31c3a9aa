package io.verbena.fetch;

import io.verbena.store.ShuffleStore;
import io.verbena.transport.Transport;
import java.util.List;

/**
 * Reads blocks for the reduce tasks of one process: keeps connections to peers, what it knows of
 * their tables, the receive buffers, and the policy's decisions. One per process.
 *
 * <p>Threads: all methods from any thread.
 */
public final class FetchClient implements AutoCloseable {
  /**
   * Makes a client.
   *
   * @param selfId id of this executor: its blocks come from {@code store} without a transport
   * @param store this process's store
   * @param transports one-sided transports in order of preference, closed with the client
   * @param service block service used when no transport reaches a peer; null forbids it
   * @param registry the registry
   * @param receiveLimit bytes of receive buffers of all tasks together
   * @param chunkSize bytes of the largest piece of this application
   */
  public FetchClient(
      String selfId,
      ShuffleStore store,
      List<Transport> transports,
      BlockService service,
      PeerDirectory registry,
      long receiveLimit,
      int chunkSize) {
    throw new UnsupportedOperationException();
  }

  /** Begins to read. The caller closes the iterator. */
  public SegmentIterator fetch(
      int shuffleId, List<PeerBlocks> wanted, FetchLimits limits, FetchObserver observer) {
    throw new UnsupportedOperationException();
  }

  /** Forgets what is cached of a shuffle. */
  public void forgetShuffle(int shuffleId) {
    throw new UnsupportedOperationException();
  }

  /** Figures for metrics and reports. */
  public FetchStats stats() {
    throw new UnsupportedOperationException();
  }

  @Override
  public void close() {
    throw new UnsupportedOperationException();
  }
}
