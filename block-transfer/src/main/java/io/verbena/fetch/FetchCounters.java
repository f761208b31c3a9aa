package io.verbena.fetch;

import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;

/** Counters behind {@link FetchStats}. Threads: any. */
final class FetchCounters {
  final LongAdder localBytes = new LongAdder();
  final LongAdder localBlocks = new LongAdder();
  final LongAdder tableReads = new LongAdder();
  final LongAdder checksumFailures = new LongAdder();
  final LongAdder rereads = new LongAdder();
  private final Map<String, LongAdder> bytes = new ConcurrentHashMap<>();
  private final Map<String, LongAdder> blocks = new ConcurrentHashMap<>();
  private final Map<String, LongAdder> falls = new ConcurrentHashMap<>();

  void remoteBytes(String transport, long count) {
    add(bytes, transport, count);
  }

  void remoteBlock(String transport) {
    add(blocks, transport, 1);
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

  FetchStats snapshot() {
    return new FetchStats(
        localBytes.sum(),
        localBlocks.sum(),
        sums(bytes),
        sums(blocks),
        tableReads.sum(),
        sums(falls),
        checksumFailures.sum(),
        rereads.sum());
  }

  private static Map<String, Long> sums(Map<String, LongAdder> map) {
    Map<String, Long> sums = new HashMap<>();
    map.forEach((key, adder) -> sums.put(key, adder.sum()));
    return Map.copyOf(sums);
  }
}
