package io.verbena.spark;

import io.verbena.spark.shim.ExternalSorters;
import io.verbena.store.RunWriter;
import java.io.IOException;
import org.apache.spark.Aggregator;
import org.apache.spark.ShuffleDependency;
import org.apache.spark.TaskContext;
import org.apache.spark.executor.TaskMetrics;
import org.apache.spark.serializer.SerializationStream;
import org.apache.spark.serializer.SerializerInstance;
import org.apache.spark.shuffle.ShuffleWriteMetricsReporter;
import org.apache.spark.storage.TimeTrackingOutputStream;
import org.apache.spark.util.collection.ExternalSorter;
import scala.Option;
import scala.Product2;
import scala.Tuple2;
import scala.collection.Iterator;
import scala.math.Ordering;

/**
 * Writes map outputs that need map-side combine or whose serializer cannot have its bytes moved:
 * Spark's external sorter orders the records, and their bytes go into one run.
 *
 * <p>Threads: the task's thread.
 */
final class SortedShuffleWriter<K, V, C> extends MapOutputWriter<K, V, C> {
  private ExternalSorter<K, V, C> sorter;

  SortedShuffleWriter(
      ShuffleDependency<K, V, C> dependency,
      TaskContext context,
      ShuffleWriteMetricsReporter metrics,
      MapOutputCommit commit,
      BlockEncoding encoding) {
    super(dependency, context, metrics, commit, encoding);
  }

  @Override
  void writeRuns(Iterator<Product2<K, V>> records) throws IOException {
    // Without map-side combine neither aggregation nor order matters before the reduce side.
    boolean combine = dependency.mapSideCombine();
    Option<Aggregator<K, V, C>> aggregator = combine ? dependency.aggregator() : Option.empty();
    Option<Ordering<K>> ordering = combine ? dependency.keyOrdering() : Option.empty();
    sorter =
        ExternalSorters.forMapTask(
            context,
            aggregator,
            dependency.partitioner(),
            ordering,
            dependency.serializer(),
            checksums);
    sorter.insertAll(records);
    writeRun();
    TaskMetrics task = context.taskMetrics();
    task.incMemoryBytesSpilled(sorter.memoryBytesSpilled());
    task.incDiskBytesSpilled(sorter.diskBytesSpilled());
    task.incPeakExecutionMemory(sorter.peakMemoryUsedBytes());
  }

  private void writeRun() throws IOException {
    RunWriter run = commit.output().newRun();
    PartitionOutput partitions = new PartitionOutput(run, encoding);
    SerializerInstance serializer = dependency.serializer().newInstance();
    Iterator<Tuple2<Object, Iterator<Product2<K, C>>>> sorted = sorter.partitionedIterator();
    while (sorted.hasNext()) {
      Tuple2<Object, Iterator<Product2<K, C>>> partition = sorted.next();
      if (partition._2().hasNext()) {
        partitions.open((Integer) partition._1(), 0);
        writePartition(serializer, partitions, partition._2());
        partitions.close();
      }
    }
    run.finish();
  }

  private void writePartition(
      SerializerInstance serializer, PartitionOutput partitions, Iterator<Product2<K, C>> records) {
    SerializationStream stream =
        serializer.serializeStream(new TimeTrackingOutputStream(metrics, partitions.stream()));
    long written = 0;
    while (records.hasNext()) {
      Product2<K, C> record = records.next();
      stream.writeKey(record._1(), ANY);
      stream.writeValue(record._2(), ANY);
      written++;
    }
    stream.close();
    metrics.incRecordsWritten(written);
  }

  @Override
  void free() {
    if (sorter != null) {
      long start = System.nanoTime();
      sorter.stop();
      metrics.incWriteTime(System.nanoTime() - start);
      sorter = null;
    }
  }
}
