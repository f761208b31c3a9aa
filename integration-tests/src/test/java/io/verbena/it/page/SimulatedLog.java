package io.verbena.it.page;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** An event log of an application with many executors, 20 to a host, one host without RDMA. */
final class SimulatedLog {
  static final String APP_ID = "app-simulated";
  static final int EXECUTORS = 200;

  private static final ObjectMapper JSON = new ObjectMapper();
  private static final long START = 1_700_000_000_000L;

  private SimulatedLog() {}

  static void write(Path folder, String spark) throws IOException {
    List<String> lines = new ArrayList<>();
    lines.add(event("SparkListenerLogStart").put("Spark Version", spark).toString());
    lines.add(
        event("SparkListenerApplicationStart")
            .put("App Name", "simulated")
            .put("App ID", APP_ID)
            .put("Timestamp", START)
            .put("User", "nobody")
            .toString());
    for (int second = 10; second <= 300; second += 10) {
      lines.add(figures(second).toString());
    }
    lines.add(event("SparkListenerApplicationEnd").put("Timestamp", START + 300_000).toString());
    Files.write(folder.resolve(APP_ID), lines);
  }

  private static ObjectNode event(String name) {
    return JSON.createObjectNode().put("Event", name);
  }

  private static ObjectNode figures(int second) {
    ObjectNode event = event("io.verbena.spark.ui.ShuffleFiguresEvent");
    event.put("time", START + second * 1000L);
    var executors = event.putArray("executors");
    for (int id = 0; id < EXECUTORS; id++) {
      executor(executors.addObject(), id, ((long) second * second) << 20);
    }
    return event;
  }

  private static void executor(ObjectNode node, int id, long bytes) {
    node.put("executor", Integer.toString(id));
    node.put("host", "node-%02d.cluster".formatted(id / 20));
    node.put("localBytes", bytes / 20);
    Map<String, List<String>> peers = new TreeMap<>();
    for (int peer = 0; peer < EXECUTORS; peer++) {
      if (peer != id) {
        peers.computeIfAbsent(transport(id / 20, peer / 20), t -> new ArrayList<>()).add("" + peer);
      }
    }
    ObjectNode read = node.putObject("readBytes");
    ObjectNode chosen = node.putObject("peers");
    peers.forEach(
        (transport, ids) -> {
          read.put(transport, bytes / EXECUTORS * ids.size());
          chosen.put(transport, String.join(",", ids));
        });
    node.put("poolBytes", (1L << 30) + id * (7L << 20)).put("poolHighWater", 3L << 30);
    node.put("poolLimit", 4L << 30).put("poolBacking", "tmpfs").put("runsInPool", 40);
    ObjectNode falls = node.putObject("falls");
    if (peers.containsKey("netty")) {
      falls.put("verbs->netty: this host has no RDMA device", peers.get("netty").size());
    }
  }

  private static String transport(int host, int other) {
    if (host == other) {
      return "shm";
    }
    return host == 3 || other == 3 ? "netty" : "verbs";
  }
}
