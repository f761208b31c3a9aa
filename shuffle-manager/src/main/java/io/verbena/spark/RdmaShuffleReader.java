package io.verbena.spark;

import io.verbena.spark.shim.ExternalSorters;
import org.apache.spark.Aggregator;
import org.apache.spark.InterruptibleIterator;
import org.apache.spark.ShuffleDependency;
import org.apache.spark.SparkEnv;
import org.apache.spark.TaskContext;
import org.apache.spark.executor.TaskMetrics;
import org.apache.spark.shuffle.ShuffleReader;
import org.apache.spark.util.TaskCompletionListener;
import scala.Option;
import scala.Product2;
import scala.collection.Iterator;

/**
 * Reads a reduce task's blocks, then aggregates and sorts with Spark's own classes.
 *
 * <p>Threads: the task's thread.
 */
final class RdmaShuffleReader<K, C> implements ShuffleReader<K, C> {
  /** Begins to read and gives the records. */
  @FunctionalInterface
  interface Source {
    RecordIterator open();
  }

  private final ShuffleDependency<K, ?, C> dependency;
  private final TaskContext context;
  private final Source source;

  RdmaShuffleReader(ShuffleDependency<K, ?, C> dependency, TaskContext context, Source source) {
    this.dependency = dependency;
    this.context = context;
    this.source = source;
  }

  @Override
  public Iterator<Product2<K, C>> read() {
    RecordIterator records = source.open();
    TaskCompletionListener close = ended -> records.close();
    context.addTaskCompletionListener(close);
    Iterator<Product2<Object, Object>> interruptible =
        new InterruptibleIterator<>(context, records);
    if (dependency.keyOrdering().isEmpty() && dependency.aggregator().isEmpty()) {
      return cast(interruptible);
    }
    // Sorting and aggregating consume the first one; the task must be killable after that, too.
    return new InterruptibleIterator<>(context, combined(interruptible));
  }

  private Iterator<Product2<K, C>> combined(Iterator<Product2<Object, Object>> records) {
    if (dependency.keyOrdering().isDefined()) {
      return sorted(records);
    }
    Aggregator<K, Object, C> aggregator = cast(dependency.aggregator().get());
    return dependency.mapSideCombine()
        ? cast(aggregator.combineCombinersByKey(cast(records), context))
        : cast(aggregator.combineValuesByKey(cast(records), context));
  }

  private Iterator<Product2<K, C>> sorted(Iterator<Product2<Object, Object>> records) {
    Option<Aggregator<K, Object, C>> aggregator = cast(dependency.aggregator());
    if (aggregator.isDefined() && dependency.mapSideCombine()) {
      // The values are combined already.
      Aggregator<K, Object, C> declared = aggregator.get();
      Aggregator<K, C, C> merging =
          new Aggregator<>(
              combined -> combined, declared.mergeCombiners(), declared.mergeCombiners());
      aggregator = cast(Option.apply(merging));
    }
    return aggregator.isDefined() ? sortedBySpark(aggregator, records) : sortedByKey(cast(records));
  }

  private Iterator<Product2<K, C>> sortedBySpark(
      Option<Aggregator<K, Object, C>> aggregator, Iterator<Product2<Object, Object>> records) {
    return ExternalSorters.<K, Object, C>forReduceTask(
            context, aggregator, dependency.keyOrdering(), dependency.serializer())
        .insertAllAndUpdateMetrics(cast(records));
  }

  private Iterator<Product2<K, C>> sortedByKey(Iterator<Product2<K, C>> records) {
    SortedRecords<K, C> held =
        new SortedRecords<>(
            context.taskMemoryManager(),
            new SpilledRecords.Place(SparkEnv.get(), dependency.serializer().newInstance()));
    TaskCompletionListener free = ended -> free(held);
    context.addTaskCompletionListener(free);
    while (records.hasNext()) {
      Product2<K, C> record = records.next();
      if (!held.insert(record._1(), record._2())) {
        return sortedBySpark(Option.empty(), cast(held.drain(records)));
      }
    }
    return held.sorted(dependency.keyOrdering().get());
  }

  private void free(SortedRecords<K, C> held) {
    TaskMetrics metrics = context.taskMetrics();
    metrics.incPeakExecutionMemory(held.peakBytes());
    metrics.incMemoryBytesSpilled(held.spilledBytes());
    metrics.incDiskBytesSpilled(held.fileBytes());
    held.free();
  }

  /** Spark says by the dependency, not by types, what the records are. */
  @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"})
  private static <T> T cast(Object value) {
    return (T) value;
  }
}
