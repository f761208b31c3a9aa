package io.verbena.spark;

import io.verbena.spark.shim.RowChecksums;
import io.verbena.store.RunWriter;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import org.apache.spark.Partitioner;
import org.apache.spark.ShuffleDependency;
import org.apache.spark.TaskContext;
import org.apache.spark.scheduler.MapStatus;
import org.apache.spark.serializer.SerializationStream;
import org.apache.spark.shuffle.ShuffleWriteMetricsReporter;
import org.apache.spark.shuffle.ShuffleWriter;
import scala.Option;
import scala.Product2;
import scala.collection.Iterator;
import scala.reflect.ClassTag;
import scala.reflect.ClassTag$;

/**
 * Writes map outputs whose serialised records may be moved: each record is serialised at once,
 * because Spark SQL reuses rows and the pair around them, and no object per record is kept.
 *
 * <p>Threads: the task's thread.
 */
final class SerializedShuffleWriter<K, V> extends ShuffleWriter<K, V> {
  private static final ClassTag<Object> ANY = ClassTag$.MODULE$.Object();

  private final ShuffleDependency<K, V, ?> dependency;
  private final TaskContext context;
  private final ShuffleWriteMetricsReporter metrics;
  private final MapOutputCommit commit;
  private final BlockEncoding encoding;
  private final RowChecksums checksums;
  private RecordPages pages;

  SerializedShuffleWriter(
      ShuffleDependency<K, V, ?> dependency,
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

  @Override
  public void write(Iterator<Product2<K, V>> records) throws IOException {
    if (dependency.partitioner().numPartitions() == 1) {
      writeUnsorted(records);
    } else {
      writeSorted(records);
    }
    commit.commit(checksums);
  }

  private void writeSorted(Iterator<Product2<K, V>> records) throws IOException {
    RunSpiller spiller = new RunSpiller(commit.output(), encoding, metrics);
    pages = new RecordPages(context.taskMemoryManager(), full -> spill(spiller, full));
    try {
      insertAll(records);
      pages.seal();
      if (pages.count() > 0) {
        spiller.write(pages);
      }
    } finally {
      freePages();
    }
  }

  private void insertAll(Iterator<Product2<K, V>> records) throws IOException {
    RecordBuffer buffer = new RecordBuffer();
    SerializationStream stream = dependency.serializer().newInstance().serializeStream(buffer);
    Partitioner partitioner = dependency.partitioner();
    boolean checked = checksums.wanted();
    long inserted = 0;
    while (records.hasNext()) {
      Product2<K, V> record = records.next();
      K key = record._1();
      V value = record._2();
      int partition = partitioner.getPartition(key);
      buffer.reset();
      stream.writeKey(key, ANY);
      stream.writeValue(value, ANY);
      stream.flush();
      pages.insert(buffer.array(), buffer.size(), partition);
      if (checked) {
        checksums.update(partition, key, value);
      }
      inserted++;
    }
    metrics.incRecordsWritten(inserted);
  }

  private void spill(RunSpiller spiller, RecordPages full) throws IOException {
    long bytes = full.getUsed();
    spiller.write(full);
    context.taskMetrics().incMemoryBytesSpilled(bytes);
  }

  /** A single partition needs no sort: records go straight into the run. */
  private void writeUnsorted(Iterator<Product2<K, V>> records) throws IOException {
    if (!records.hasNext()) {
      return;
    }
    RunWriter run = commit.output().newRun();
    PartitionOutput partitions = new PartitionOutput(run, encoding);
    partitions.open(0, 0);
    SerializationStream stream =
        dependency.serializer().newInstance().serializeStream(partitions.stream());
    boolean checked = checksums.wanted();
    long written = 0;
    while (records.hasNext()) {
      Product2<K, V> record = records.next();
      stream.writeKey(record._1(), ANY);
      stream.writeValue(record._2(), ANY);
      if (checked) {
        checksums.update(0, record._1(), record._2());
      }
      written++;
    }
    stream.close();
    partitions.close();
    run.finish();
    metrics.incRecordsWritten(written);
  }

  private void freePages() {
    if (pages != null) {
      pages.free();
      context.taskMetrics().incPeakExecutionMemory(pages.peakBytes());
      pages = null;
    }
  }

  @Override
  public Option<MapStatus> stop(boolean success) {
    freePages();
    return commit.stop(success);
  }

  @Override
  public long[] getPartitionLengths() {
    return commit.lengths();
  }

  /** A growing array that a record is serialised into, without a copy to get it out. */
  private static final class RecordBuffer extends ByteArrayOutputStream {
    private static final int INITIAL_SIZE = 64 << 10;

    RecordBuffer() {
      super(INITIAL_SIZE);
    }

    byte[] array() {
      return buf;
    }
  }
}
