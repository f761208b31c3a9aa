package io.verbena.spark.ui;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;

/**
 * What the page shows of an executor. Named and read as in the shuffle report; what is missing is 0
 * or empty, what is too long is cut, for a log may come from anywhere.
 *
 * @param peers ids of peers by the transport that was chosen last for them, as {@code IdRanges}
 */
record ExecutorRow(
    String executor,
    String host,
    long localBytes,
    Map<String, Long> readBytes,
    long poolBytes,
    long poolHighWater,
    long poolLimit,
    String poolBacking,
    long runsInPool,
    long runsOnDisk,
    Map<String, Long> falls,
    long checksumFailures,
    long rereads,
    Map<String, String> peers) {
  private static final int MOST_ENTRIES = 16;
  private static final int MOST_CHARS = 300;
  private static final int MOST_RANGE_CHARS = 32_768;

  static ExecutorRow of(JsonNode node) {
    return new ExecutorRow(
        text(node.path("executor"), MOST_CHARS),
        text(node.path("host"), MOST_CHARS),
        count(node.path("localBytes")),
        map(node.path("readBytes"), ExecutorRow::count),
        count(node.path("poolBytes")),
        count(node.path("poolHighWater")),
        count(node.path("poolLimit")),
        text(node.path("poolBacking"), MOST_CHARS),
        count(node.path("runsInPool")),
        count(node.path("runsOnDisk")),
        map(node.path("falls"), ExecutorRow::count),
        count(node.path("checksumFailures")),
        count(node.path("rereads")),
        map(node.path("peers"), value -> text(value, MOST_RANGE_CHARS)));
  }

  /** What {@link #of} reads. */
  ObjectNode json() {
    ObjectNode node = JsonNodeFactory.instance.objectNode();
    node.put("executor", executor).put("host", host).put("localBytes", localBytes);
    readBytes.forEach(node.putObject("readBytes")::put);
    node.put("poolBytes", poolBytes).put("poolHighWater", poolHighWater);
    node.put("poolLimit", poolLimit).put("poolBacking", poolBacking);
    node.put("runsInPool", runsInPool).put("runsOnDisk", runsOnDisk);
    falls.forEach(node.putObject("falls")::put);
    node.put("checksumFailures", checksumFailures).put("rereads", rereads);
    peers.forEach(node.putObject("peers")::put);
    return node;
  }

  /** Bytes read by transport, those from its own memory as {@code local}. */
  Map<String, Long> bytes() {
    Map<String, Long> bytes = new TreeMap<>(readBytes);
    bytes.merge("local", localBytes, Long::sum);
    return bytes;
  }

  private static long count(JsonNode node) {
    return Math.max(0, node.asLong());
  }

  private static String text(JsonNode node, int most) {
    String text = node.asText("");
    return text.length() <= most ? text : text.substring(0, most) + "...";
  }

  private static <T> Map<String, T> map(JsonNode node, Function<JsonNode, T> value) {
    Map<String, T> map = new LinkedHashMap<>();
    var fields = node.fields();
    while (fields.hasNext() && map.size() < MOST_ENTRIES) {
      Map.Entry<String, JsonNode> field = fields.next();
      String key = field.getKey();
      map.put(
          key.length() <= MOST_CHARS ? key : key.substring(0, MOST_CHARS) + "...",
          value.apply(field.getValue()));
    }
    return Collections.unmodifiableMap(map);
  }
}
