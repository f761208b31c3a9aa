package io.verbena.bench;

import io.verbena.conf.RdmaConf;
import io.verbena.fetch.BlockId;
import io.verbena.fetch.FetchClient;
import io.verbena.fetch.FetchLimits;
import io.verbena.fetch.FetchObserver;
import io.verbena.fetch.FetchStats;
import io.verbena.fetch.FetchedSegment;
import io.verbena.fetch.Peer;
import io.verbena.fetch.PeerBlocks;
import io.verbena.fetch.PeerDirectory;
import io.verbena.fetch.SegmentIterator;
import io.verbena.store.ShuffleStore;
import io.verbena.transport.shm.ShmTransport;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** Blocks by one-sided reads from the serving process's pool. */
final class VerbenaSource implements BlockSource {
  private static final Peer PEER = new Peer(VerbenaServer.EXECUTOR_ID, "127.0.0.1", 0);
  private static final long OWN_POOL = 512L << 20;
  private static final long MAX_BYTES_IN_FLIGHT = 48L << 20;

  private final ShuffleStore store;
  private final FetchClient client;
  private final FetchLimits limits;
  private final Map<Integer, Map<String, PeerDirectory.Found>> places;

  private VerbenaSource(
      ShuffleStore store,
      FetchClient client,
      Map<Integer, Map<String, PeerDirectory.Found>> places) {
    this.store = store;
    this.client = client;
    this.places = places;
    this.limits =
        new FetchLimits(
            MAX_BYTES_IN_FLIGHT,
            Integer.MAX_VALUE,
            Integer.MAX_VALUE,
            RdmaConf.defaults().fetchTimeout());
  }

  /** Opens this process's own store, which stays empty, and a client without a block service. */
  static VerbenaSource open(Path folder) throws IOException {
    RdmaConf conf = RdmaConf.defaults();
    ShuffleStore store =
        ShuffleStore.open(VerbenaEngine.settings("bench-reader", folder, OWN_POOL));
    Map<Integer, Map<String, PeerDirectory.Found>> places = new ConcurrentHashMap<>();
    PeerDirectory registry = (shuffle, executors) -> places.getOrDefault(shuffle, Map.of());
    FetchClient client =
        new FetchClient(
            "driver",
            store,
            List.of(new ShmTransport(ShmTransport.Mode.valueOf(conf.shmMode().name()))),
            null,
            registry,
            conf.receiveLimit(),
            Math.toIntExact(conf.chunkSize()));
    return new VerbenaSource(store, client, places);
  }

  /** Tells where a shuffle lies, as the registry would. */
  void place(int shuffle, VerbenaServer.Place place, Path peerFolder) {
    place(shuffle, VerbenaServer.EXECUTOR_ID, place, peerFolder);
  }

  /** The same for one of several executors. */
  void place(int shuffle, String executorId, VerbenaServer.Place place, Path peerFolder) {
    places
        .computeIfAbsent(shuffle, key -> new ConcurrentHashMap<>())
        .put(
            executorId,
            new PeerDirectory.Found(
                place.store(), place.shuffle(), VerbenaEngine.files(peerFolder), true));
  }

  FetchStats stats() {
    return client.stats();
  }

  @Override
  public void read(int shuffle, FetchShape shape, int partition, Sink sink) throws IOException {
    read(shuffle, List.of(wanted(PEER, shape, partition)), sink);
  }

  /** Reads blocks of any executors. */
  void read(int shuffle, List<PeerBlocks> wanted, Sink sink) throws IOException {
    try (SegmentIterator segments =
        // Spark's metrics are counters too: a real observer adds a few additions a block.
        client.fetch(shuffle, wanted, limits, FetchObserver.NONE)) {
      for (FetchedSegment next = segments.next(); next != null; next = segments.next()) {
        sink.accept(next.block().mapId(), next.block().partition(), next.stream());
      }
    }
  }

  /** All blocks of a partition on one executor. */
  static PeerBlocks wanted(Peer peer, FetchShape shape, int partition) {
    List<BlockId> blocks = new ArrayList<>(shape.maps());
    for (int map = 0; map < shape.maps(); map++) {
      blocks.add(new BlockId(map, map, partition));
    }
    return new PeerBlocks(peer, blocks, (long) shape.maps() * shape.blockSize());
  }

  @Override
  public void close() {
    client.close();
    store.close();
  }
}
