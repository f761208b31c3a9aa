package io.verbena.it.jobs;

import com.codahale.metrics.Gauge;
import java.io.File;
import java.io.Serializable;
import java.lang.management.ManagementFactory;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.spark.SparkEnv;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.metrics.source.Source;
import scala.Function1;
import scala.collection.Iterator;
import scala.jdk.javaapi.CollectionConverters;
import scala.reflect.ClassTag;
import scala.reflect.ClassTag$;

/**
 * What a process holds at a moment, after a full collection.
 *
 * @param process executor id, {@code driver}
 * @param heap bytes of the heap in use
 * @param threads live threads
 * @param handles open file handles, sockets included
 * @param pool bytes of the pool in use, for runs and location tables
 * @param disk bytes of run files
 * @param received bytes of receive buffers in use
 * @param queuePairs queue pairs in either direction
 */
public record Footprint(
    String process,
    long heap,
    long threads,
    long handles,
    long pool,
    long disk,
    long received,
    long queuePairs) {
  private static final int FIELDS = 8;

  /** A function that Spark can send. */
  private interface Task extends Function1<Iterator<Integer>, Iterator<String>>, Serializable {}

  /** Of the driver and of each executor, all of which have one core. */
  static List<Footprint> ofAll(JavaSparkContext context, int executors) {
    ClassTag<String> tag = ClassTag$.MODULE$.apply(String.class);
    Task task = ignored -> CollectionConverters.asScala(List.of(here().toString())).iterator();
    // The tasks of a barrier stage start all at once: each executor gets one.
    String[] lines =
        (String[])
            context
                .parallelize(IntStream.range(0, executors).boxed().toList(), executors)
                .rdd()
                .barrier()
                .mapPartitions(task, false, tag)
                .collect();
    return Stream.concat(Stream.of(here()), Arrays.stream(lines).map(Footprint::parse))
        .sorted(Comparator.comparing(Footprint::process))
        .toList();
  }

  private static Footprint here() {
    // Twice: what the first one finds unreachable may hold more until its cleaners have run.
    System.gc();
    System.gc();
    return new Footprint(
        SparkEnv.get().executorId(),
        ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed(),
        ManagementFactory.getThreadMXBean().getThreadCount(),
        Objects.requireNonNull(new File("/proc/self/fd").list()).length,
        gauges(Set.of("pool.bytes")),
        gauges(Set.of("disk.bytes")),
        gauges(Set.of("receive.bytes")),
        gauges(Set.of("verbs.queuePairs", "verbs.servingQueuePairs")));
  }

  private static long gauges(Set<String> names) {
    long sum = 0;
    for (Source source :
        CollectionConverters.asJava(SparkEnv.get().metricsSystem().getSourcesByName("verbena"))) {
      for (String name : names) {
        if (source.metricRegistry().getMetrics().get(name) instanceof Gauge<?> gauge
            && gauge.getValue() instanceof Number number) {
          sum += number.longValue();
        }
      }
    }
    return sum;
  }

  /** Parses what {@link #toString} gives. */
  public static Footprint parse(String text) {
    String[] fields = text.split(" ", FIELDS);
    long[] numbers = IntStream.range(1, FIELDS).mapToLong(i -> Long.parseLong(fields[i])).toArray();
    return new Footprint(
        fields[0],
        numbers[0],
        numbers[1],
        numbers[2],
        numbers[3],
        numbers[4],
        numbers[5],
        numbers[6]);
  }

  @Override
  public String toString() {
    return "%s %d %d %d %d %d %d %d"
        .formatted(process, heap, threads, handles, pool, disk, received, queuePairs);
  }
}
