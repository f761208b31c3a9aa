package io.verbena.spark;

import io.verbena.store.RunWriter;
import java.io.IOException;
import org.apache.spark.ShuffleDependency;
import org.apache.spark.TaskContext;
import org.apache.spark.shuffle.ShuffleWriteMetricsReporter;
import scala.Product2;
import scala.collection.Iterator;

/**
 * Writes map outputs of few partitions whose serializer cannot have its bytes moved (Java
 * serialization): each record goes at once into the stream of its partition, because callers may
 * reuse it.
 *
 * <p>Threads: the task's thread.
 */
final class StreamShuffleWriter<K, V, C> extends MapOutputWriter<K, V, C> {
  StreamShuffleWriter(
      ShuffleDependency<K, V, C> dependency,
      TaskContext context,
      ShuffleWriteMetricsReporter metrics,
      MapOutputCommit commit,
      BlockEncoding encoding) {
    super(dependency, context, metrics, commit, encoding);
  }

  @Override
  void writeRuns(Iterator<Product2<K, V>> records) throws IOException {
    PartitionStreams streams =
        new PartitionStreams(
            context.taskMemoryManager(),
            dependency.serializer().newInstance(),
            dependency.partitioner().numPartitions(),
            this::writeRun);
    writeSpilling(streams, streams::insert, records);
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
}
