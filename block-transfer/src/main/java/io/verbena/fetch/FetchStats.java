package io.verbena.fetch;

import java.util.Map;

/**
 * What a process has read so far. Sizes are bytes.
 *
 * @param localBytes from this process's own memory and files
 * @param localBlocks blocks of the same kind
 * @param bytes read from peers, by transport
 * @param blocks read from peers, by transport
 * @param tableReads READs of location tables, directories and headers
 * @param falls times that the policy left a transport for the next, by {@code "from->to: reason"}
 * @param checksumFailures pieces that did not match their checksum
 * @param rereads READs repeated for any reason
 * @param transports one-sided transports that were tried, by name
 * @param flow memory for what is read, and times of waiting
 * @param peers the transport chosen last for each peer: ids of executors by transport, as {@link
 *     IdRanges}
 */
public record FetchStats(
    long localBytes,
    long localBlocks,
    Map<String, Long> bytes,
    Map<String, Long> blocks,
    long tableReads,
    Map<String, Long> falls,
    long checksumFailures,
    long rereads,
    Map<String, TransportStats> transports,
    FlowStats flow,
    Map<String, String> peers) {

  /** Figures of a process that has not read. */
  public static final FetchStats NONE =
      new FetchStats(
          0, 0, Map.of(), Map.of(), 0, Map.of(), 0, 0, Map.of(), FlowStats.NONE, Map.of());

  /** Times that the policy left a transport, or the registry, for whatever reason. */
  public long fallsFrom(String from) {
    return falls.entrySet().stream()
        .filter(entry -> entry.getKey().startsWith(from + "->"))
        .mapToLong(Map.Entry::getValue)
        .sum();
  }
}
