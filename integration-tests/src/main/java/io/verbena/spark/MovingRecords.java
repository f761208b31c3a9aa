package io.verbena.spark;

import io.verbena.bench.TemporaryStore;
import io.verbena.conf.RdmaConf;
import io.verbena.store.MapOutput;
import io.verbena.store.ShuffleStore;
import io.verbena.store.StoreStats;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.spark.SparkConf;
import org.apache.spark.memory.MemoryManager;
import org.apache.spark.memory.TaskMemoryManager;
import org.apache.spark.memory.UnifiedMemoryManager;
import org.apache.spark.serializer.JavaSerializer;
import org.apache.spark.serializer.SerializerManager;
import org.apache.spark.shuffle.ShuffleWriteMetricsReporter;
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
 * The writer's cost of a record that is serialised already: into Spark's memory, sorted, into the
 * pool, published. Partitions come at random. In this package to reach what no user needs.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class MovingRecords {
  private static final int RECORDS = 200_000;
  private static final long MEMORY = 512L << 20;

  /** Bytes of a record. */
  @Param({"24", "100", "1000"})
  public int size;

  @Param({"8", "200", "1000", "10000"})
  public int partitions;

  /** How records are kept. */
  @Param public Way way;

  /** Ways to keep records. */
  public enum Way {
    /** Each partition's in chunks of their own. */
    CHUNKS,
    /** As they come, with pointers that are sorted. */
    POINTERS
  }

  private TemporaryStore temporary;
  private ShuffleStore store;
  private MemoryManager memory;
  private BlockEncoding encoding;
  private ShuffleWriteMetricsReporter metrics;
  private byte[] record;
  private int shuffle;
  private int random;

  /** Opens a store. */
  @Setup
  public void setUp() throws IOException {
    SparkConf conf =
        new SparkConf(false)
            .set("spark.testing", "true")
            .set("spark.testing.memory", Long.toString(2 * MEMORY))
            .set("spark.testing.reservedMemory", "0")
            .set("spark.buffer.pageSize", "16m");
    memory = UnifiedMemoryManager.apply(conf, 1);
    temporary = TemporaryStore.open(2 * MEMORY);
    store = temporary.store();
    encoding =
        new BlockEncoding(
            conf,
            RdmaConf.read(Map.of("spark.shuffle.rdma.compress", "never")),
            new SerializerManager(new JavaSerializer(conf), conf, scala.Option.empty()),
            () -> StoreStats.NONE,
            false,
            () -> false);
    metrics =
        (ShuffleWriteMetricsReporter)
            Proxy.newProxyInstance(
                MovingRecords.class.getClassLoader(),
                new Class<?>[] {ShuffleWriteMetricsReporter.class},
                (proxy, method, arguments) -> null);
    record = new byte[size];
  }

  /** Closes and removes everything. */
  @TearDown
  public void tearDown() throws IOException {
    temporary.close();
  }

  /** A record of a map output, from the serializer's buffer to a published run. */
  @Benchmark
  @OperationsPerInvocation(RECORDS)
  public long write() throws IOException {
    TaskMemoryManager task = new TaskMemoryManager(memory, 0);
    long bytes = 0;
    try (MapOutput output = store.newMapOutput(shuffle, partitions, 0)) {
      RunSpiller spiller = new RunSpiller(output, encoding, metrics);
      MovedRecords records =
          way == Way.CHUNKS
              ? new PartitionPages(task, partitions, spiller::write)
              : new RecordPages(task, spiller::write);
      for (int i = 0; i < RECORDS; i++) {
        random = random * 1664525 + 1013904223;
        records.insert(record, size, (random >>> 8) % partitions);
      }
      records.seal();
      records.writeRun();
      records.free();
      for (long length : output.commit()) {
        bytes += length;
      }
    }
    if (bytes != (long) RECORDS * size) {
      throw new IOException("wrote " + bytes + " bytes");
    }
    store.removeShuffle(shuffle++);
    return bytes;
  }
}
