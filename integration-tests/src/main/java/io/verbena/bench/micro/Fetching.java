package io.verbena.bench.micro;

import io.verbena.bench.VerbenaEngine;
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
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/**
 * Reading blocks out of a store's files as another process would, here from the same one. Times are
 * of one block, a share of its table row and of the plan included; with blocks of 8 bytes they are
 * that alone.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class Fetching {
  private static final int MAPS = 256;
  private static final int SHUFFLE = 0;
  private static final long BYTES = 256L << 20;
  private static final long POOL = 1L << 30;
  private static final long IN_FLIGHT = 48L << 20;

  private static final Peer PEER = new Peer("1", "127.0.0.1", 0);

  /** Bytes of a block. */
  @Param({"8", "4096", "65536", "1048576"})
  public int size;

  /** Bytes of the pieces that larger blocks are stored and checked in. */
  @Param({"262144", "1048576"})
  public int chunk;

  /** How the region's file is read. */
  @Param({"READ", "MAPPED"})
  public ShmTransport.Mode mode;

  private final byte[] array = new byte[64 << 10];
  private Path folder;
  private ShuffleStore store;
  private FetchClient client;
  private FetchLimits limits;
  private int partitions;
  private int partition;

  /** Writes a shuffle and opens a client. */
  @Setup
  public void setUp() throws IOException {
    folder = Files.createTempDirectory("micro-");
    store = ShuffleStore.open(VerbenaEngine.settings("micro", folder, POOL, chunk));
    partitions = (int) Math.max(1, Math.min(1024, BYTES / MAPS / size));
    write();
    PeerDirectory.Found found =
        new PeerDirectory.Found(
            store.descriptor(),
            store.describe(SHUFFLE).orElseThrow(),
            (shuffle, map, run) -> folder.resolve("run"));
    client =
        new FetchClient(
            "reader",
            null,
            List.of(new ShmTransport(mode)),
            null,
            (shuffle, executors) -> Map.of(PEER.executorId(), found),
            IN_FLIGHT,
            chunk);
    limits =
        new FetchLimits(IN_FLIGHT, Integer.MAX_VALUE, Integer.MAX_VALUE, Duration.ofMinutes(1));
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

  /** Closes and removes everything. */
  @TearDown
  public void tearDown() throws IOException {
    client.close();
    store.close();
    Files.delete(folder);
  }

  /** A block of one partition's, into a heap array. */
  @Benchmark
  @OperationsPerInvocation(MAPS)
  public long fetchBlock() throws IOException {
    int reduce = partition++ % partitions;
    List<BlockId> blocks =
        IntStream.range(0, MAPS).mapToObj(map -> new BlockId(map, map, reduce)).toList();
    long bytes = 0;
    try (SegmentIterator segments =
        client.fetch(
            SHUFFLE,
            List.of(new PeerBlocks(PEER, blocks, (long) MAPS * size)),
            limits,
            FetchObserver.NONE)) {
      for (FetchedSegment next = segments.next(); next != null; next = segments.next()) {
        InputStream in = next.stream();
        for (int n = in.read(array); n >= 0; n = in.read(array)) {
          bytes += n;
        }
      }
    }
    return bytes;
  }
}
