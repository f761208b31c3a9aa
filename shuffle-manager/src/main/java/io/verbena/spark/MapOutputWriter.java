package io.verbena.spark;

import io.verbena.spark.shim.RowChecksums;
import java.io.IOException;
import org.apache.spark.Partitioner;
import org.apache.spark.ShuffleDependency;
import org.apache.spark.TaskContext;
import org.apache.spark.scheduler.MapStatus;
import org.apache.spark.shuffle.ShuffleWriteMetricsReporter;
import org.apache.spark.shuffle.ShuffleWriter;
import scala.Option;
import scala.Product2;
import scala.collection.Iterator;
import scala.reflect.ClassTag;
import scala.reflect.ClassTag$;

/**
 * What all ways to write a map output share: it is committed when all its runs are written, and
 * nothing is held when the task stops.
 *
 * <p>Threads: the task's thread.
 */
abstract class MapOutputWriter<K, V, C> extends ShuffleWriter<K, V> {
  static final ClassTag<Object> ANY = ClassTag$.MODULE$.Object();

  final ShuffleDependency<K, V, C> dependency;
  final TaskContext context;
  final ShuffleWriteMetricsReporter metrics;
  final MapOutputCommit commit;
  final BlockEncoding encoding;
  final RowChecksums checksums;
  private SpillableRecords held;

  MapOutputWriter(
      ShuffleDependency<K, V, C> dependency,
      TaskContext context,
      ShuffleWriteMetricsReporter metrics,
      MapOutputCommit commit,
      BlockEncoding encoding) {
    this.dependency = dependency;
    this.context = context;
    this.metrics = metrics;
    this.commit = commit;
    this.encoding = encoding;
    this.checksums = RowChecksums.of(dependency);
  }

  /** Takes a record at once: the caller may use its objects again. */
  @FunctionalInterface
  interface Insertion<K, V> {
    void insert(int partition, K key, V value) throws IOException;
  }

  /** Writes all records as runs. */
  abstract void writeRuns(Iterator<Product2<K, V>> records) throws IOException;

  /** Frees what the writer holds beside {@link #writeSpilling}. Idempotent. */
  void free() {}

  @Override
  public final void write(Iterator<Product2<K, V>> records) throws IOException {
    writeRuns(records);
    commit.commit(checksums);
  }

  /** Inserts records into memory, of which runs are made when it gets scarce and at the end. */
  final void writeSpilling(
      SpillableRecords into, Insertion<K, V> insertion, Iterator<Product2<K, V>> records)
      throws IOException {
    held = into;
    try {
      insertAll(insertion, records);
      into.seal();
      if (!into.isEmpty()) {
        into.writeRun();
      }
    } finally {
      freeHeld();
    }
  }

  /** Hands records over one by one, and counts them. */
  final void insertAll(Insertion<K, V> insertion, Iterator<Product2<K, V>> records)
      throws IOException {
    Partitioner partitioner = dependency.partitioner();
    boolean checked = checksums.wanted();
    long inserted = 0;
    while (records.hasNext()) {
      Product2<K, V> record = records.next();
      K key = record._1();
      V value = record._2();
      int partition = partitioner.getPartition(key);
      insertion.insert(partition, key, value);
      if (checked) {
        checksums.update(partition, key, value);
      }
      inserted++;
    }
    metrics.incRecordsWritten(inserted);
  }

  private void freeHeld() {
    if (held != null) {
      held.free();
      context.taskMetrics().incMemoryBytesSpilled(held.spilledBytes());
      context.taskMetrics().incPeakExecutionMemory(held.peakBytes());
      held = null;
    }
  }

  @Override
  public final Option<MapStatus> stop(boolean success) {
    freeHeld();
    free();
    return commit.stop(success);
  }

  @Override
  public final long[] getPartitionLengths() {
    return commit.lengths();
  }
}
