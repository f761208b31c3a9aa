package io.verbena.spark.ui;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.LongNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.function.BiFunction;

/** Events as a cluster of some executors would send them. */
final class SimulatedCluster {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final long START = 1_700_000_000_000L;

  private SimulatedCluster() {}

  /** Executors 20 to a host; another host is read by verbs, one rack by netty. */
  static String transport(int reader, int owner) {
    if (reader / 20 == owner / 20) {
      return "shm";
    }
    return (reader / 20 == 3) != (owner / 20 == 3) ? "netty" : "verbs";
  }

  static ObjectNode executor(
      int id, int count, long bytes, BiFunction<Integer, Integer, String> by) {
    ObjectNode node = JSON.createObjectNode();
    node.put("executor", Integer.toString(id));
    node.put("host", "node-" + id / 20 + ".cluster");
    node.put("localBytes", bytes / 10);
    ObjectNode read = node.putObject("readBytes");
    ObjectNode peers = node.putObject("peers");
    for (int owner = 0; owner < count; owner++) {
      if (owner != id) {
        String transport = by.apply(id, owner);
        read.put(transport, read.path(transport).asLong() + bytes / count);
        String before = peers.path(transport).asText();
        peers.put(transport, before.isEmpty() ? "" + owner : before + "," + owner);
      }
    }
    node.put("poolLimit", 4L << 30);
    node.put("poolHighWater", (3L << 30) / (1 + id % 3));
    node.put("poolBytes", (2L << 30) / (1 + id % 5));
    node.put("poolBacking", id % 17 == 0 ? "disk" : "tmpfs");
    node.put("runsInPool", 40 + id);
    node.put("runsOnDisk", id % 17 == 0 ? 7 : 0);
    ObjectNode falls = node.putObject("falls");
    if (id / 20 == 3) {
      falls.put("verbs->netty: this host has no RDMA device", 1);
    }
    return node;
  }

  static ShuffleFiguresEvent event(long second, ObjectNode... executors) {
    ArrayNode rows = JSON.createArrayNode();
    for (ObjectNode executor : executors) {
      rows.add(executor);
    }
    return new ShuffleFiguresEvent(LongNode.valueOf(START + second * 1000), rows);
  }

  /** Some minutes in the life of a cluster. */
  static ShuffleState state(int count, BiFunction<Integer, Integer, String> by) {
    ShuffleState state = new ShuffleState();
    long bytes = 0;
    for (int second = 0; second <= 600; second += 10) {
      bytes += (long) ((1 + Math.sin(second / 60.0)) * (400 << 20));
      ObjectNode[] rows = new ObjectNode[count];
      // The peers only once: this is slow for many.
      for (int id = 0; id < count; id++) {
        rows[id] = second == 600 ? executor(id, count, bytes, by) : plain(id, count, bytes);
      }
      state.apply(event(second, rows));
    }
    return state;
  }

  private static ObjectNode plain(int id, int count, long bytes) {
    ObjectNode node = JSON.createObjectNode();
    node.put("executor", Integer.toString(id));
    node.put("localBytes", bytes / 10);
    ObjectNode read = node.putObject("readBytes");
    for (String transport : new String[] {"shm", "verbs", "netty"}) {
      long share =
          java.util.stream.IntStream.range(0, count)
              .filter(owner -> owner != id && transport(id, owner).equals(transport))
              .count();
      if (share > 0) {
        read.put(transport, share * (bytes / count));
      }
    }
    return node;
  }
}
