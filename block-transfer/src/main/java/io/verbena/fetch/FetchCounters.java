package io.verbena.fetch;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;

/** Counters behind {@link FetchStats}. Threads: any. */
final class FetchCounters {
  final LongAdder localBytes = new LongAdder();
  final LongAdder localBlocks = new LongAdder();
  final LongAdder tableReads = new LongAdder();
  final LongAdder checksumFailures = new LongAdder();
  final LongAdder rereads = new LongAdder();
  final LongAdder waitNanos = new LongAdder();
  final LongAdder inFlightWaitNanos = new LongAdder();
  final LongAdder bufferWaitNanos = new LongAdder();
  private final Map<String, LongAdder> bytes = new ConcurrentHashMap<>();
  private final Map<String, LongAdder> blocks = new ConcurrentHashMap<>();
  private final Map<String, LongAdder> falls = new ConcurrentHashMap<>();
  private final Map<String, ReadMeter> meters = new ConcurrentHashMap<>();
  private final PeerTransports peers = new PeerTransports();
  private final boolean metered;

  /**
   * Makes counters.
   *
   * @param metered false only in benchmarks, to learn what counting and timing READs costs
   */
  FetchCounters(boolean metered) {
    this.metered = metered;
  }

  /** The meter of a one-sided transport. */
  ReadMeter meter(String transport) {
    return meters.computeIfAbsent(transport, name -> new ReadMeter(metered));
  }

  void remoteBytes(String transport, long count) {
    add(bytes, transport, count);
  }

  void remoteBlock(String transport) {
    add(blocks, transport, 1);
  }

  /** A transport was chosen for a peer. */
  void chosen(String executorId, String transport) {
    peers.put(executorId, transport);
  }

  void fall(String from, String to, String reason) {
    add(falls, from + "->" + to + ": " + reason, 1);
  }

  private static void add(Map<String, LongAdder> map, String key, long count) {
    LongAdder adder = map.get(key);
    if (adder == null) {
      adder = map.computeIfAbsent(key, k -> new LongAdder());
    }
    adder.add(count);
  }

  /** The latencies of a transport's READs; empty when it was never tried. */
  Optional<LatencyHistogram> latency(String transport) {
    return Optional.ofNullable(meters.get(transport)).map(ReadMeter::latency);
  }

  FetchStats snapshot(ReceiveBuffers buffers) {
    return new FetchStats(
        localBytes.sum(),
        localBlocks.sum(),
        sums(bytes),
        sums(blocks),
        tableReads.sum(),
        sums(falls),
        checksumFailures.sum(),
        rereads.sum(),
        transports(),
        new FlowStats(
            buffers.bytes(buffers.given()),
            buffers.bytes(buffers.most()),
            buffers.bytes(buffers.limit()),
            waitNanos.sum(),
            inFlightWaitNanos.sum(),
            bufferWaitNanos.sum()),
        peers.byTransport());
  }

  private Map<String, TransportStats> transports() {
    Map<String, TransportStats> snapshots = new HashMap<>();
    meters.forEach((name, meter) -> snapshots.put(name, meter.snapshot()));
    return Map.copyOf(snapshots);
  }

  private static Map<String, Long> sums(Map<String, LongAdder> map) {
    Map<String, Long> sums = new HashMap<>();
    map.forEach((key, adder) -> sums.put(key, adder.sum()));
    return Map.copyOf(sums);
  }
}
