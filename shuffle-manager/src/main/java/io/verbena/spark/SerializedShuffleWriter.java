package io.verbena.spark;

import io.verbena.store.RunWriter;
import java.io.IOException;
import org.apache.spark.ShuffleDependency;
import org.apache.spark.TaskContext;
import org.apache.spark.memory.TaskMemoryManager;
import org.apache.spark.serializer.SerializationStream;
import org.apache.spark.shuffle.ShuffleWriteMetricsReporter;
import scala.Product2;
import scala.collection.Iterator;

/**
 * Writes map outputs whose serialised records may be moved: each record is serialised at once,
 * because Spark SQL reuses rows and the pair around them, and no object per record is kept.
 *
 * <p>Threads: the task's thread.
 */
final class SerializedShuffleWriter<K, V, C> extends MapOutputWriter<K, V, C> {
  private static final int BUFFER_SIZE = 64 << 10;

  SerializedShuffleWriter(
      ShuffleDependency<K, V, C> dependency,
      TaskContext context,
      ShuffleWriteMetricsReporter metrics,
      MapOutputCommit commit,
      BlockEncoding encoding) {
    super(dependency, context, metrics, commit, encoding);
  }

  @Override
  void writeRuns(Iterator<Product2<K, V>> records) throws IOException {
    if (dependency.partitioner().numPartitions() == 1) {
      writeUnsorted(records);
    } else {
      writeMoved(records);
    }
  }

  private void writeMoved(Iterator<Product2<K, V>> records) throws IOException {
    int partitions = dependency.partitioner().numPartitions();
    RunSpiller spiller = new RunSpiller(commit.output(), encoding, metrics);
    TaskMemoryManager memory = context.taskMemoryManager();
    MovedRecords pages =
        partitions <= PartitionPages.MAX_PARTITIONS
            ? new PartitionPages(memory, partitions, spiller::write)
            : new RecordPages(memory, spiller::write);
    GrowingBuffer buffer = new GrowingBuffer(BUFFER_SIZE);
    RecordCodec.Encoder encoder =
        RecordCodec.of(dependency.serializer().newInstance()).encoder(buffer);
    writeSpilling(
        pages,
        (partition, key, value) -> {
          encoder.encode(key, value);
          pages.insert(buffer.array(), buffer.size(), partition);
        },
        records);
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
    insertAll(
        (partition, key, value) -> {
          stream.writeKey(key, ANY);
          stream.writeValue(value, ANY);
        },
        records);
    stream.close();
    partitions.close();
    run.finish();
  }
}
