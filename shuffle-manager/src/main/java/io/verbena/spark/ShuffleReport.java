package io.verbena.spark;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.verbena.fetch.FetchStats;
import io.verbena.fetch.TransportStats;
import io.verbena.log.KeyedLogger;
import io.verbena.store.StoreStats;
import java.util.List;
import java.util.Map;
import java.util.function.ToLongFunction;

/**
 * What all executors did, as one line of JSON in the driver's log when the application ends: for
 * people, and for {@code bin/demo}, which looks for the prefix.
 */
final class ShuffleReport {
  static final String PREFIX = "Shuffle report: ";
  static final int VERSION = 1;

  private static final KeyedLogger LOG = KeyedLogger.of(ShuffleReport.class);
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final double NANOS_PER_SECOND = 1e9;

  private ShuffleReport() {}

  static void log(List<ExecutorFigures> executors) {
    LOG.info("{}{}", PREFIX, json(executors));
  }

  static String json(List<ExecutorFigures> executors) {
    ObjectNode report = JSON.createObjectNode();
    report.put("version", VERSION);
    report.set("executors", rows(executors));
    return report.toString();
  }

  /** An object for each executor. */
  static ArrayNode rows(List<ExecutorFigures> executors) {
    ArrayNode rows = JSON.createArrayNode();
    executors.forEach(figures -> fill(rows.addObject(), figures));
    return rows;
  }

  private static void fill(ObjectNode node, ExecutorFigures figures) {
    FetchStats fetch = figures.fetch();
    StoreStats store = figures.store();
    node.put("executor", figures.executorId());
    node.put("host", figures.host());
    node.put("localBytes", fetch.localBytes());
    node.put("localBlocks", fetch.localBlocks());
    fill(node.putObject("readBytes"), fetch.bytes());
    fill(node.putObject("readBlocks"), fetch.blocks());
    node.put("tableReads", fetch.tableReads());
    node.put("poolBytes", store.poolBytes());
    node.put("poolHighWater", store.poolHighWater());
    node.put("poolLimit", store.poolLimit());
    node.put("poolBacking", store.backing());
    node.put("runsInPool", store.runsInPool());
    node.put("runsOnDisk", store.runsOnDisk());
    fill(node.putObject("falls"), fetch.falls());
    fetch.peers().forEach(node.putObject("peers")::put);
    node.put("checksumFailures", fetch.checksumFailures());
    node.put("rereads", fetch.rereads());
    fill(node.putObject("connectionsOpened"), fetch, TransportStats::opened);
    fill(node.putObject("connectionsFailed"), fetch, TransportStats::unreachable);
    node.put("registeredBytes", figures.verbs().registeredBytes());
    node.put("waitSeconds", fetch.flow().waitNanos() / NANOS_PER_SECOND);
    node.put("inFlightWaitSeconds", fetch.flow().inFlightWaitNanos() / NANOS_PER_SECOND);
    node.put("bufferWaitSeconds", fetch.flow().bufferWaitNanos() / NANOS_PER_SECOND);
    node.put("servingCpuSeconds", figures.servingCpuNanos() / NANOS_PER_SECOND);
  }

  private static void fill(
      ObjectNode node, FetchStats fetch, ToLongFunction<TransportStats> figure) {
    fetch.transports().forEach((name, stats) -> node.put(name, figure.applyAsLong(stats)));
  }

  private static void fill(ObjectNode node, Map<String, Long> values) {
    values.forEach(node::put);
  }
}
