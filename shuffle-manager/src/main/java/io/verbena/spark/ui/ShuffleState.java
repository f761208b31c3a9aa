package io.verbena.spark.ui;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * What the page shows, made from events, live or from a log. Its size is bounded: beyond {@link
 * #MAX_ROWS} executors, ended ones first, only what they read is kept, as a sum.
 *
 * <p>Threads: any.
 */
final class ShuffleState {
  static final int MAX_ROWS = 1_000;
  private static final int MAX_ENDED = 4_096;
  private static final ObjectMapper JSON = new ObjectMapper();

  /**
   * What there is at one moment.
   *
   * @param rows executors, by number
   * @param ended why those that are gone are gone, by id
   * @param leftOut executors that are not among the rows any more
   * @param total bytes read by all executors that ever were, by transport
   * @param points bytes read over time
   * @param over whether the application has ended
   */
  record Snapshot(
      List<ExecutorRow> rows,
      Map<String, String> ended,
      long leftOut,
      Map<String, Long> total,
      List<Throughput.Point> points,
      boolean over) {}

  private final Map<String, ExecutorRow> rows = new LinkedHashMap<>();
  private final Map<String, String> ended = new LinkedHashMap<>();
  private final Map<String, Long> former = new TreeMap<>();
  private final Throughput throughput = new Throughput();
  private long leftOut;
  private boolean over;

  /** Takes the rows of an event; anything that is not understood is passed over. */
  synchronized void apply(ShuffleFiguresEvent event) {
    if (event.executors() == null) {
      return;
    }
    for (JsonNode node : event.executors()) {
      put(ExecutorRow.of(node));
    }
    if (event.time() != null && event.time().isIntegralNumber()) {
      throughput.add(event.time().asLong(), total());
    }
  }

  private void put(ExecutorRow row) {
    if (row.executor().isEmpty()) {
      return;
    }
    rows.put(row.executor(), row);
    if (rows.size() > MAX_ROWS) {
      String victim =
          rows.keySet().stream()
              .filter(ended::containsKey)
              .findFirst()
              .orElseGet(() -> rows.keySet().iterator().next());
      rows.remove(victim).bytes().forEach((name, bytes) -> former.merge(name, bytes, Long::sum));
      leftOut++;
    }
  }

  private Map<String, Long> total() {
    Map<String, Long> total = new TreeMap<>(former);
    for (ExecutorRow row : rows.values()) {
      row.bytes().forEach((name, bytes) -> total.merge(name, bytes, Long::sum));
    }
    return total;
  }

  synchronized void executorEnded(String id, String reason) {
    ended.put(id, reason == null ? "" : reason);
    if (ended.size() > MAX_ENDED) {
      ended.remove(ended.keySet().iterator().next());
    }
  }

  synchronized void applicationEnded() {
    over = true;
  }

  synchronized Snapshot snapshot() {
    List<ExecutorRow> sorted = new ArrayList<>(rows.values());
    sorted.sort(
        Comparator.<ExecutorRow>comparingInt(row -> row.executor().length())
            .thenComparing(ExecutorRow::executor));
    Map<String, String> gone = new LinkedHashMap<>(ended);
    gone.keySet().retainAll(rows.keySet());
    return new Snapshot(sorted, gone, leftOut, total(), throughput.points(), over);
  }

  /** All of it as text, for a store. */
  synchronized String json() {
    ObjectNode root = JSON.createObjectNode();
    ArrayNode executors = root.putArray("executors");
    rows.values().forEach(row -> executors.add(row.json()));
    ended.forEach(root.putObject("ended")::put);
    former.forEach(root.putObject("former")::put);
    ArrayNode points = root.putArray("points");
    for (Throughput.Point point : throughput.points()) {
      ObjectNode node = points.addObject().put("time", point.time());
      point.bytes().forEach(node.putObject("bytes")::put);
    }
    root.put("leftOut", leftOut);
    root.put("over", over);
    return root.toString();
  }

  /** What {@link #json} has written. */
  static ShuffleState of(String json) {
    ShuffleState state = new ShuffleState();
    JsonNode root;
    try {
      root = JSON.readTree(json);
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException("not the state of the page \"RDMA Shuffle\"", e);
    }
    root.path("executors").forEach(node -> state.put(ExecutorRow.of(node)));
    root.path("ended")
        .fields()
        .forEachRemaining(e -> state.ended.put(e.getKey(), e.getValue().asText()));
    state.former.putAll(counts(root.path("former")));
    for (JsonNode point : root.path("points")) {
      state.throughput.add(point.path("time").asLong(), counts(point.path("bytes")));
    }
    state.leftOut = root.path("leftOut").asLong();
    state.over = root.path("over").asBoolean();
    return state;
  }

  private static Map<String, Long> counts(JsonNode node) {
    Map<String, Long> counts = new TreeMap<>();
    node.fields().forEachRemaining(e -> counts.put(e.getKey(), e.getValue().asLong()));
    return counts;
  }
}
