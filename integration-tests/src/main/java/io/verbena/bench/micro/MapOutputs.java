package io.verbena.bench.micro;

import io.verbena.bench.TemporaryStore;
import io.verbena.store.MapOutput;
import io.verbena.store.RunWriter;
import io.verbena.store.ShuffleStore;
import java.io.IOException;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/** Writing and publishing map outputs. Times are of one record, partition or table entry. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class MapOutputs {
  private static final int RECORD = 100;
  private static final int RECORDS = 200_000;
  private static final int PARTITIONS = 2_000;
  private static final int MAPS = 64;
  private static final long POOL = 1L << 30;

  private TemporaryStore temporary;
  private ShuffleStore store;
  private byte[] record;
  private int shuffle;
  private long map;

  /** Opens a store. */
  @Setup
  public void setUp() throws IOException {
    temporary = TemporaryStore.open(POOL);
    store = temporary.store();
    record = new byte[RECORD];
  }

  /** Removes it. */
  @TearDown
  public void tearDown() throws IOException {
    temporary.close();
  }

  /** A record of 100 bytes appended to a large partition, into the pool. */
  @Benchmark
  @OperationsPerInvocation(RECORDS)
  public void writeRecord() throws IOException {
    try (MapOutput output = store.newMapOutput(0, 1, map++)) {
      RunWriter run = output.newRun();
      run.partition(0, 0, 0);
      for (int i = 0; i < RECORDS; i++) {
        run.write(record, 0, RECORD);
      }
      run.finish();
    }
  }

  /** A partition of one record begun, written and ended. */
  @Benchmark
  @OperationsPerInvocation(PARTITIONS)
  public void writePartition() throws IOException {
    try (MapOutput output = store.newMapOutput(0, PARTITIONS, map++)) {
      writeRun(output);
    }
  }

  /** The same, published and in the end removed: an entry's share of the table included. */
  @Benchmark
  @OperationsPerInvocation(PARTITIONS)
  public void writePartitionAndCommit() throws IOException {
    if (map % MAPS == 0) {
      store.removeShuffle(shuffle++);
    }
    try (MapOutput output = store.newMapOutput(shuffle, PARTITIONS, map++)) {
      writeRun(output);
      output.commit();
    }
  }

  private void writeRun(MapOutput output) throws IOException {
    RunWriter run = output.newRun();
    for (int partition = 0; partition < PARTITIONS; partition++) {
      run.partition(partition, 0, RECORD);
      run.write(record, 0, RECORD);
    }
    run.finish();
  }
}
