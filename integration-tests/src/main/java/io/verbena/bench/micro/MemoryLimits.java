package io.verbena.bench.micro;

import java.nio.ByteBuffer;
import java.util.concurrent.TimeUnit;
import java.util.zip.CRC32C;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/**
 * What the machine gives at best: a copy of native memory into a heap array that stays in the
 * cache, from a source far larger than the cache, and the checksum of the same.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class MemoryLimits {
  private static final int SOURCE = 256 << 20;

  /** Bytes of a block. */
  @Param({"4096", "65536", "1048576"})
  public int size;

  private ByteBuffer source;
  private byte[] target;
  private int at;

  /** Fills the source, so that its pages are there. */
  @Setup
  public void setUp() {
    source = ByteBuffer.allocateDirect(SOURCE);
    for (int i = 0; i < SOURCE; i += Long.BYTES) {
      source.putLong(i, i * 0x9e3779b97f4a7c15L);
    }
    target = new byte[size];
  }

  /** A block copied into the heap. */
  @Benchmark
  public byte[] copy() {
    source.get(next(), target);
    return target;
  }

  /** A block's CRC32C. */
  @Benchmark
  public long crc32c() {
    CRC32C crc = new CRC32C();
    crc.update(source.slice(next(), size));
    return crc.getValue();
  }

  /** Both, the checksum taken of the copy, which is in the cache. */
  @Benchmark
  public long copyThenCrc32c() {
    source.get(next(), target);
    CRC32C crc = new CRC32C();
    crc.update(target);
    return crc.getValue();
  }

  private int next() {
    at = at + size > SOURCE - size ? 0 : at + size;
    return at;
  }
}
