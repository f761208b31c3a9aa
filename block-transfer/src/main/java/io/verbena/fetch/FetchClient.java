package io.verbena.fetch;

import io.verbena.store.ShuffleStore;
import io.verbena.table.TableReader;
import io.verbena.transport.Transport;
import java.util.List;
import java.util.Optional;

/**
 * Reads blocks for the reduce tasks of one process: keeps connections to peers, what it knows of
 * their tables, the receive buffers, and the policy's decisions. One per process.
 *
 * <p>Threads: all methods from any thread.
 */
public final class FetchClient implements AutoCloseable {
  private final String selfId;
  private final ShuffleStore store;
  private final List<Transport> transports;
  private final BlockService service;
  private final FetchCounters counters;
  private final ReceiveBuffers buffers;
  private final RemoteShuffles remotes;
  private final OwnMemory ownMemory = new OwnMemory();

  /**
   * Makes a client.
   *
   * @param selfId id of this executor: its blocks come from {@code store} without a transport
   * @param store this process's store; null in a process that has none
   * @param transports one-sided transports in order of preference, closed with the client
   * @param service block service used when no transport reaches a peer; null forbids it
   * @param registry the registry
   * @param receiveLimit bytes of receive buffers of all tasks together that reading ahead may take;
   *     each task gets the one that it cannot go on without beyond it
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
    this(selfId, store, transports, service, registry, receiveLimit, chunkSize, true);
  }

  /**
   * For benchmarks: the same, with READs counted and timed or not.
   *
   * @param metered false leaves {@link FetchStats#transports()} without READs and latencies
   */
  public FetchClient(
      String selfId,
      ShuffleStore store,
      List<Transport> transports,
      BlockService service,
      PeerDirectory registry,
      long receiveLimit,
      int chunkSize,
      boolean metered) {
    this.counters = new FetchCounters(metered);
    this.selfId = selfId;
    this.store = store;
    this.transports = List.copyOf(transports);
    this.service = service;
    this.buffers =
        new ReceiveBuffers(
            receiveLimit,
            Math.max(Math.max(chunkSize, Batch.STEP), TableReader.SCRATCH),
            this.transports);
    this.remotes = new RemoteShuffles(registry, transports, service != null, counters);
  }

  /** Begins to read. The caller closes the iterator. */
  public SegmentIterator fetch(
      int shuffleId, List<PeerBlocks> wanted, FetchLimits limits, FetchObserver observer) {
    return new FetchTask(this, shuffleId, wanted, limits, observer);
  }

  /** Forgets what is cached of a shuffle. */
  public void forgetShuffle(int shuffleId) {
    remotes.forget(shuffleId);
    // The pool may give back regions that nobody needs now, and what is open keeps their memory.
    ownMemory.close();
  }

  /** Figures for metrics and reports. */
  public FetchStats stats() {
    return counters.snapshot(buffers);
  }

  /**
   * How long lists of READs took from posting to the completion of the last: a receive buffer's
   * worth of blocks at most, or a part of a location table, and the generation word that judges
   * them. Empty for a transport that was never tried.
   */
  public Optional<LatencyHistogram> latency(String transport) {
    return counters.latency(transport);
  }

  String selfId() {
    return selfId;
  }

  ShuffleStore store() {
    return store;
  }

  BlockService service() {
    return service;
  }

  ReceiveBuffers buffers() {
    return buffers;
  }

  RemoteShuffles remotes() {
    return remotes;
  }

  OwnMemory ownMemory() {
    return ownMemory;
  }

  FetchCounters counters() {
    return counters;
  }

  /** Closes connections and transports; iterators still open end in failures. Idempotent. */
  @Override
  public void close() {
    remotes.close();
    transports.forEach(Transport::close);
    ownMemory.close();
  }
}
