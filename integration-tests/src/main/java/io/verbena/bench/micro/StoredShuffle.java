package io.verbena.bench.micro;

import io.verbena.bench.TemporaryStore;
import io.verbena.fetch.BlockId;
import io.verbena.fetch.FetchClient;
import io.verbena.fetch.FetchLimits;
import io.verbena.fetch.FetchObserver;
import io.verbena.fetch.FetchedSegment;
import io.verbena.fetch.Peer;
import io.verbena.fetch.PeerBlocks;
import io.verbena.fetch.PeerDirectory;
import io.verbena.fetch.SegmentIterator;
import io.verbena.store.MapOutput;
import io.verbena.store.RunWriter;
import io.verbena.store.ShuffleStore;
import io.verbena.transport.shm.ShmTransport;
import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/**
 * A shuffle of blocks of one size in a store, which clients read as another process would, here
 * from the same one. One thread.
 */
final class StoredShuffle implements AutoCloseable {
  /** Map outputs, and so blocks of a partition. */
  static final int MAPS = 256;

  private static final int SHUFFLE = 0;
  private static final long BYTES = 256L << 20;
  private static final int MOST_PARTITIONS = 1024;
  private static final long POOL = 1L << 30;
  private static final long IN_FLIGHT = 48L << 20;
  private static final Peer PEER = new Peer("1", "127.0.0.1", 0);
  private static final FetchLimits LIMITS =
      new FetchLimits(IN_FLIGHT, Integer.MAX_VALUE, Integer.MAX_VALUE, Duration.ofMinutes(1));

  private final byte[] array = new byte[64 << 10];
  private final int size;
  private final int chunk;
  private final int partitions;
  private final TemporaryStore temporary;
  private final ShuffleStore store;

  /**
   * Writes the shuffle.
   *
   * @param size bytes of a block
   * @param chunk bytes of the pieces that larger blocks are stored and checked in
   */
  StoredShuffle(int size, int chunk) throws IOException {
    this.size = size;
    this.chunk = chunk;
    partitions = (int) Math.max(1, Math.min(MOST_PARTITIONS, BYTES / MAPS / size));
    temporary = TemporaryStore.open(POOL, chunk);
    store = temporary.store();
    write();
  }

  private void write() throws IOException {
    byte[] block = new byte[size];
    for (int map = 0; map < MAPS; map++) {
      try (MapOutput output = store.newMapOutput(SHUFFLE, partitions, map)) {
        RunWriter run = output.newRun();
        for (int i = 0; i < partitions; i++) {
          run.partition(i, 0, size);
          run.write(block, 0, size);
        }
        run.finish();
        output.commit();
      }
    }
  }

  /** A new client, which the caller closes. */
  FetchClient client(ShmTransport.Mode mode, boolean metered) {
    PeerDirectory.Found found =
        new PeerDirectory.Found(
            store.descriptor(),
            store.describe(SHUFFLE).orElseThrow(),
            (shuffle, map, run) -> temporary.folder().resolve("run"),
            true);
    return new FetchClient(
        "reader",
        null,
        List.of(new ShmTransport(mode)),
        null,
        (shuffle, executors) -> Map.of(PEER.executorId(), found),
        IN_FLIGHT,
        chunk,
        metered);
  }

  /**
   * Reads all blocks of a partition into a heap array.
   *
   * @param turn any number from 0; partitions come round
   * @return bytes read
   */
  long read(FetchClient client, int turn) throws IOException {
    int reduce = turn % partitions;
    List<BlockId> blocks =
        IntStream.range(0, MAPS).mapToObj(map -> new BlockId(map, map, reduce)).toList();
    List<PeerBlocks> wanted = List.of(new PeerBlocks(PEER, blocks, (long) MAPS * size));
    long bytes = 0;
    try (SegmentIterator segments = client.fetch(SHUFFLE, wanted, LIMITS, FetchObserver.NONE)) {
      for (FetchedSegment next = segments.next(); next != null; next = segments.next()) {
        InputStream in = next.stream();
        for (int n = in.read(array); n >= 0; n = in.read(array)) {
          bytes += n;
        }
      }
    }
    return bytes;
  }

  @Override
  public void close() throws IOException {
    temporary.close();
  }
}
