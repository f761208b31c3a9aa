package io.verbena.ping;

import io.verbena.conf.RdmaConf;
import io.verbena.fetch.BlockId;
import io.verbena.fetch.FetchClient;
import io.verbena.fetch.FetchException;
import io.verbena.fetch.FetchLimits;
import io.verbena.fetch.FetchObserver;
import io.verbena.fetch.FetchedSegment;
import io.verbena.fetch.Peer;
import io.verbena.fetch.PeerBlocks;
import io.verbena.fetch.PeerDirectory;
import io.verbena.fetch.SegmentIterator;
import io.verbena.probe.ServedMemory;
import io.verbena.transport.Transport;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.LongStream;

/**
 * Reads all blocks of the other side as a reduce task would, and looks by which transport the
 * engine's policy did so.
 */
final class PolicyTrial {
  /** The other side in the engine's messages: "executor serve". */
  static final String SERVE = "serve";

  private final Welcome welcome;
  private final RdmaConf conf;
  private final JobTransports transports;

  PolicyTrial(Welcome welcome, RdmaConf conf, JobTransports transports) {
    this.welcome = welcome;
    this.conf = conf;
    this.transports = transports;
  }

  /** Runs it; closes the transports. */
  JobChoice run() throws IOException {
    Map<String, String> out = new LinkedHashMap<>(transports.missing());
    if (transports.opened().isEmpty()) {
      return choice("", 0, out);
    }
    Path folder = Path.of(welcome.folder());
    PeerDirectory.Found found =
        new PeerDirectory.Found(
            welcome.store(),
            welcome.shuffle(),
            (shuffle, map, run) -> ServedMemory.runFile(folder, shuffle, map, run),
            // So that the reason is noted wherever shm is out.
            true);
    try (FetchClient client =
        new FetchClient(
            "ping",
            null,
            transports.opened(),
            null,
            (shuffle, executors) -> Map.of(SERVE, found),
            conf.receiveLimit(),
            welcome.store().chunkSize())) {
      String failure = read(client);
      client.stats().falls().keySet().forEach(fall -> note(fall, out));
      return client.stats().bytes().entrySet().stream()
          .filter(entry -> failure.isEmpty() && entry.getValue() > 0)
          .findFirst()
          .map(entry -> choice(entry.getKey(), entry.getValue(), out))
          .orElseGet(() -> failed(failure, out));
    }
  }

  private JobChoice failed(String failure, Map<String, String> out) {
    for (Transport each : transports.opened()) {
      out.putIfAbsent(each.name(), failure);
    }
    return choice("", 0, out);
  }

  /** Takes the reason out of {@code from->to: reason}. */
  private static void note(String fall, Map<String, String> out) {
    int arrow = fall.indexOf("->");
    out.put(fall.substring(0, arrow), fall.substring(fall.indexOf(": ", arrow) + 2));
  }

  /** Takes the first of those that the job allows which is not out. */
  private JobChoice choice(String used, long bytes, Map<String, String> out) {
    List<JobChoice.Passed> passed = new ArrayList<>();
    for (String name : transports.wanted()) {
      if (name.equals(used) || name.equals(JobTransports.NETTY)) {
        return new JobChoice(name, bytes, passed);
      }
      passed.add(new JobChoice.Passed(name, out.getOrDefault(name, "not tried")));
    }
    return new JobChoice("", 0, passed);
  }

  /** Reads all blocks; gives what failed, nothing when all is well. */
  private String read(FetchClient client) throws IOException {
    List<BlockId> blocks =
        LongStream.range(0, ServedMemory.blocks(welcome.regionSize()))
            .mapToObj(map -> new BlockId(map, (int) map, 0))
            .toList();
    Peer peer = new Peer(SERVE, welcome.host(), 0);
    FetchLimits limits =
        new FetchLimits(
            conf.receiveLimit(), Integer.MAX_VALUE, Integer.MAX_VALUE, conf.fetchTimeout());
    PeerBlocks wanted = new PeerBlocks(peer, blocks, (long) blocks.size() * ServedMemory.BLOCK);
    try (SegmentIterator segments =
        client.fetch(ServedMemory.SHUFFLE, List.of(wanted), limits, FetchObserver.NONE)) {
      for (FetchedSegment next = segments.next(); next != null; next = segments.next()) {
        next.stream().transferTo(OutputStream.nullOutputStream());
      }
      return "";
    } catch (FetchException e) {
      return e.getMessage();
    }
  }
}
