package io.verbena.spark;

import io.verbena.spark.shim.RowChecksums;
import io.verbena.store.RunWriter;
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

/**
 * Writes map outputs of few partitions whose serializer cannot have its bytes moved (Java
 * serialization): each record goes at once into the stream of its partition, because callers may
 * reuse it.
 *
 * <p>Threads: the task's thread.
 */
final class StreamShuffleWriter<K, V> extends ShuffleWriter<K, V> {
  private final ShuffleDependency<K, V, ?> dependency;
  private final TaskContext context;
  private final ShuffleWriteMetricsReporter metrics;
  private final MapOutputCommit commit;
  private final BlockEncoding encoding;
  private final RowChecksums checksums;
  private PartitionStreams streams;

  StreamShuffleWriter(
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
    streams =
        new PartitionStreams(
            context.taskMemoryManager(),
            dependency.serializer().newInstance(),
            dependency.partitioner().numPartitions(),
            this::spill);
    try {
      insertAll(records);
      streams.seal();
      if (!streams.isEmpty()) {
        writeRun(streams);
      }
    } finally {
      freeStreams();
    }
    commit.commit(checksums);
  }

  private void insertAll(Iterator<Product2<K, V>> records) throws IOException {
    Partitioner partitioner = dependency.partitioner();
    boolean checked = checksums.wanted();
    long inserted = 0;
    while (records.hasNext()) {
      Product2<K, V> record = records.next();
      K key = record._1();
      V value = record._2();
      int partition = partitioner.getPartition(key);
      streams.insert(partition, key, value);
      if (checked) {
        checksums.update(partition, key, value);
      }
      inserted++;
    }
    metrics.incRecordsWritten(inserted);
  }

  private void spill(PartitionStreams full) throws IOException {
    long bytes = full.getUsed();
    writeRun(full);
    context.taskMetrics().incMemoryBytesSpilled(bytes);
  }

  private void writeRun(PartitionStreams full) throws IOException {
    long start = System.nanoTime();
    RunWriter run = commit.output().newRun();
    PartitionOutput output = new PartitionOutput(run, encoding);
    for (int partition = 0; partition < full.partitions(); partition++) {
      full.drain(partition, output);
    }
    run.finish();
    metrics.incWriteTime(System.nanoTime() - start);
  }

  private void freeStreams() {
    if (streams != null) {
      streams.free();
      context.taskMetrics().incPeakExecutionMemory(streams.peakBytes());
      streams = null;
    }
  }

  @Override
  public Option<MapStatus> stop(boolean success) {
    freeStreams();
    return commit.stop(success);
  }

  @Override
  public long[] getPartitionLengths() {
    return commit.lengths();
  }
}
