package io.verbena.bench.micro;

import io.verbena.fetch.FetchClient;
import io.verbena.transport.shm.ShmTransport;
import java.io.IOException;
import java.util.concurrent.TimeUnit;
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
  /** Bytes of a block. */
  @Param({"8", "4096", "65536", "1048576"})
  public int size;

  /** Bytes of the pieces that larger blocks are stored and checked in. */
  @Param({"262144", "1048576"})
  public int chunk;

  /** How the region's file is read. */
  @Param({"READ", "MAPPED"})
  public ShmTransport.Mode mode;

  private StoredShuffle shuffle;
  private FetchClient client;
  private int turn;

  /** Writes a shuffle and opens a client. */
  @Setup
  public void setUp() throws IOException {
    shuffle = new StoredShuffle(size, chunk);
    client = shuffle.client(mode, true);
  }

  /** Closes and removes everything. */
  @TearDown
  public void tearDown() throws IOException {
    client.close();
    shuffle.close();
  }

  /** A block of one partition's, into a heap array. */
  @Benchmark
  @OperationsPerInvocation(StoredShuffle.MAPS)
  public long fetchBlock() throws IOException {
    return shuffle.read(client, turn++ & Integer.MAX_VALUE);
  }
}
