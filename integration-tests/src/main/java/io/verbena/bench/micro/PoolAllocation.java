package io.verbena.bench.micro;

import io.verbena.memory.Backing;
import io.verbena.memory.ExtentList;
import io.verbena.memory.Pool;
import io.verbena.memory.PoolSettings;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/** Taking an extent of the pool, filling it, and giving it back. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class PoolAllocation {
  private static final int REGION = 64 << 20;
  private static final int LARGE = 256 << 10;
  private static final int SMALL = 64;

  private final ExtentList extents = new ExtentList();
  private Path folder;
  private Pool pool;
  private ByteBuffer large;
  private ByteBuffer small;

  /** Opens a pool on the backing that this machine has. */
  @Setup
  public void setUp() throws IOException {
    folder = Files.createTempDirectory("micro-");
    pool =
        Pool.open(
            new PoolSettings(
                "micro",
                UUID.randomUUID(),
                4L * REGION,
                0,
                REGION,
                List.of(Backing.values()),
                List.of(),
                List.of(folder),
                false,
                false));
    pool.start(16, (id, directory, backing, pageSize, memory) -> {});
    large = ByteBuffer.allocateDirect(LARGE);
    small = ByteBuffer.allocateDirect(SMALL);
  }

  /** Removes it. */
  @TearDown
  public void tearDown() throws IOException {
    pool.close();
    Files.delete(folder);
  }

  /** An extent of 64 bytes: bookkeeping and one small write. */
  @Benchmark
  public void storeAndFree64() throws IOException {
    storeAndFree(small);
  }

  /** An extent of 256 KiB, as map outputs take them. */
  @Benchmark
  public void storeAndFree256k() throws IOException {
    storeAndFree(large);
  }

  private void storeAndFree(ByteBuffer bytes) throws IOException {
    extents.add(pool.store(bytes.rewind()));
    pool.free(extents, false);
  }
}
