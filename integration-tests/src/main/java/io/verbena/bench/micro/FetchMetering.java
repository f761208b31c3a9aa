package io.verbena.bench.micro;

import io.verbena.fetch.FetchClient;
import io.verbena.transport.shm.ShmTransport;
import java.io.IOException;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.AuxCounters;
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
 * What the metrics cost the fetch path: the same blocks read by a client that counts and times its
 * READs and by one that does not, in turns within one process, since two processes differ by more
 * than what is looked for. The score is the time of a block by both together; {@code meteredNanos}
 * and {@code plainNanos} are what each took, and their ratio is the answer.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class FetchMetering {
  private static final int CHUNK = 256 << 10;

  /** Bytes of a block. */
  @Param({"8", "4096", "65536"})
  public int size;

  /** How memory of the other process is read; AUTO is the default of the option. */
  @Param({"READ", "AUTO"})
  public ShmTransport.Mode mode;

  private StoredShuffle shuffle;
  private FetchClient metered;
  private FetchClient plain;
  private int turn;

  /** Nanoseconds that each of the two clients took in an iteration. */
  @State(Scope.Thread)
  @AuxCounters(AuxCounters.Type.EVENTS)
  public static class Taken {
    /** Of the client that counts and times its READs. */
    public long meteredNanos;

    /** Of the other. */
    public long plainNanos;
  }

  /** Writes a shuffle and opens both clients. */
  @Setup
  public void setUp() throws IOException {
    shuffle = new StoredShuffle(size, CHUNK);
    metered = shuffle.client(mode, true);
    plain = shuffle.client(mode, false);
  }

  /** Closes and removes everything. */
  @TearDown
  public void tearDown() throws IOException {
    metered.close();
    plain.close();
    shuffle.close();
  }

  /** A partition by each client; who comes second finds it in the processor's cache. */
  @Benchmark
  @OperationsPerInvocation(StoredShuffle.MAPS)
  public long fetchByBoth(Taken taken) throws IOException {
    int now = turn++ & Integer.MAX_VALUE;
    boolean meteredFirst = (now & 1) == 0;
    long start = System.nanoTime();
    long bytes = shuffle.read(meteredFirst ? metered : plain, now);
    long between = System.nanoTime();
    bytes += shuffle.read(meteredFirst ? plain : metered, now);
    long end = System.nanoTime();
    taken.meteredNanos += meteredFirst ? between - start : end - between;
    taken.plainNanos += meteredFirst ? end - between : between - start;
    return bytes;
  }
}
