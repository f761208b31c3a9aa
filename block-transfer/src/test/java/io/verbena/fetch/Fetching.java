package io.verbena.fetch;

import io.verbena.store.ShuffleDescriptor;
import io.verbena.store.StoreDescriptor;
import io.verbena.store.StoreSettings;
import io.verbena.transport.Connection;
import io.verbena.transport.Transport;
import io.verbena.transport.UnreachableException;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** What tests of the reader's side share: a registry, blocks by id, and reading all of them. */
final class Fetching {
  static final FetchLimits LIMITS =
      new FetchLimits(48 << 20, Integer.MAX_VALUE, Integer.MAX_VALUE, Duration.ofSeconds(30));

  private Fetching() {}

  static Peer peer(String id) {
    return new Peer(id, "host-" + id, 7337);
  }

  static BlockId block(long map, int partition) {
    return new BlockId(map, (int) map, partition);
  }

  static PeerBlocks blocks(String peer, BlockId... blocks) {
    return new PeerBlocks(peer(peer), List.of(blocks), 1000L * blocks.length);
  }

  /** A registry that tests fill. */
  static final class Registry implements PeerDirectory {
    final Map<String, Found> known = new ConcurrentHashMap<>();
    int lookups;

    Registry with(String executorId, StoreDescriptor store, ShuffleDescriptor shuffle) {
      return with(executorId, store, shuffle, null);
    }

    Registry with(
        String executorId,
        StoreDescriptor store,
        ShuffleDescriptor shuffle,
        StoreSettings.RunFiles files) {
      known.put(executorId, new Found(store, shuffle, files, true));
      return this;
    }

    @Override
    public synchronized Map<String, Found> lookup(int shuffleId, List<String> executorIds) {
      lookups++;
      Map<String, Found> found = new HashMap<>();
      for (String id : executorIds) {
        Found each = known.get(id);
        if (each != null && each.shuffle().shuffleId() == shuffleId) {
          found.put(id, each);
        }
      }
      return found;
    }
  }

  static FetchClient client(PeerDirectory registry, BlockService service, Transport... transports) {
    return new FetchClient("self", null, List.of(transports), service, registry, 64 << 20, 1 << 20);
  }

  /** One segment as it was read. */
  @SuppressWarnings("ArrayRecordComponent") // compared by tests, component by component
  record Got(
      BlockId block, String transport, boolean compressed, boolean encrypted, byte[] bytes) {}

  static List<Got> readAll(FetchClient client, int shuffleId, PeerBlocks... wanted)
      throws IOException {
    return readAll(client, shuffleId, LIMITS, new Watching(), wanted);
  }

  static List<Got> readAll(
      FetchClient client,
      int shuffleId,
      FetchLimits limits,
      FetchObserver observer,
      PeerBlocks... wanted)
      throws IOException {
    List<Got> got = new ArrayList<>();
    try (SegmentIterator segments = client.fetch(shuffleId, List.of(wanted), limits, observer)) {
      for (FetchedSegment next = segments.next(); next != null; next = segments.next()) {
        got.add(read(next));
      }
    }
    return got;
  }

  static Got read(FetchedSegment segment) throws IOException {
    byte[] bytes = segment.stream().readAllBytes();
    if (bytes.length != segment.length()) {
      throw new AssertionError("length " + segment.length() + ", stream gave " + bytes.length);
    }
    return new Got(
        segment.block(), segment.transport(), segment.compressed(), segment.encrypted(), bytes);
  }

  /** A transport that reaches nobody. */
  record Unreachable(String name, String reason) implements Transport {
    @Override
    public boolean isForOneHost() {
      return name.equals("shm");
    }

    @Override
    public Connection connect(String executorId, StoreDescriptor peer) throws UnreachableException {
      throw new UnreachableException(reason);
    }

    @Override
    public void close() {}
  }

  /** An observer that adds up. */
  static final class Watching implements FetchObserver {
    long localBytes;
    long remoteBytes;
    int localBlocks;
    int remoteBlocks;
    long waited;

    @Override
    public void local(long bytes) {
      localBytes += bytes;
    }

    @Override
    public void remote(long bytes, String transport) {
      remoteBytes += bytes;
    }

    @Override
    public void block(long mapId, boolean local) {
      if (local) {
        localBlocks++;
      } else {
        remoteBlocks++;
      }
    }

    @Override
    public void waited(long nanos) {
      waited += nanos;
    }
  }
}
