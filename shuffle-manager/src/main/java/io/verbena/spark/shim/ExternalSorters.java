package io.verbena.spark.shim;

import static java.lang.invoke.MethodType.methodType;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import org.apache.spark.Aggregator;
import org.apache.spark.Partitioner;
import org.apache.spark.TaskContext;
import org.apache.spark.serializer.Serializer;
import org.apache.spark.util.collection.ExternalSorter;
import scala.Option;
import scala.math.Ordering;

/** Makes Spark's external sorter: from 4.1 on it takes the checksums of rows. */
public final class ExternalSorters {
  private static final MethodHandle NEW = find();

  private ExternalSorters() {}

  private static MethodHandle find() {
    MethodType old =
        methodType(
            void.class,
            TaskContext.class,
            Option.class,
            Option.class,
            Option.class,
            Serializer.class);
    Class<?> checksum = SparkApi.type("org.apache.spark.shuffle.checksum.RowBasedChecksum");
    return SparkApi.first(
        "ExternalSorter's constructor",
        old.changeReturnType(ExternalSorter.class).appendParameterTypes(Object[].class),
        lookup -> {
          if (checksum == null) {
            throw new NoSuchMethodException("RowBasedChecksum");
          }
          return lookup.findConstructor(
              ExternalSorter.class, old.appendParameterTypes(checksum.arrayType()));
        },
        lookup ->
            MethodHandles.dropArguments(
                lookup.findConstructor(ExternalSorter.class, old),
                old.parameterCount(),
                Object[].class));
  }

  /** A sorter for a map task. */
  public static <K, V, C> ExternalSorter<K, V, C> forMapTask(
      TaskContext context,
      Option<Aggregator<K, V, C>> aggregator,
      Partitioner partitioner,
      Option<Ordering<K>> ordering,
      Serializer serializer,
      RowChecksums checksums) {
    return make(
        context, aggregator, Option.apply(partitioner), ordering, serializer, checksums.raw());
  }

  /** A sorter for a reduce task. */
  public static <K, V, C> ExternalSorter<K, V, C> forReduceTask(
      TaskContext context,
      Option<Aggregator<K, V, C>> aggregator,
      Option<Ordering<K>> ordering,
      Serializer serializer) {
    return make(context, aggregator, Option.empty(), ordering, serializer, RowChecksums.none());
  }

  @SuppressWarnings("unchecked")
  private static <K, V, C> ExternalSorter<K, V, C> make(
      TaskContext context,
      Option<Aggregator<K, V, C>> aggregator,
      Option<Partitioner> partitioner,
      Option<Ordering<K>> ordering,
      Serializer serializer,
      Object[] checksums) {
    try {
      return (ExternalSorter<K, V, C>)
          (ExternalSorter<?, ?, ?>)
              NEW.invoke(context, aggregator, partitioner, ordering, serializer, checksums);
    } catch (Throwable e) {
      throw SparkApi.rethrow(e);
    }
  }
}
