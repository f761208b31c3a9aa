package io.verbena.it.jobs;

import com.codahale.metrics.Counting;
import com.codahale.metrics.Gauge;
import com.codahale.metrics.Metric;
import java.io.Serializable;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.apache.spark.SparkEnv;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.metrics.source.Source;
import scala.Function1;
import scala.collection.Iterator;
import scala.jdk.javaapi.CollectionConverters;
import scala.reflect.ClassTag;
import scala.reflect.ClassTag$;

/**
 * What executors hold at a moment, from Spark's metrics system.
 *
 * @param pool bytes of the pool in use, for runs and location tables
 * @param received bytes of receive buffers in use
 * @param runs runs that were published in the pool so far
 */
public record PoolFigures(long pool, long received, long runs) {
  /** A function that Spark can send. */
  private interface Task extends Function1<Iterator<Integer>, Iterator<String>>, Serializable {}

  /** Of the process that this is called in; 0 each where no shuffle has run. */
  static PoolFigures here() {
    return new PoolFigures(figure("pool.bytes"), figure("receive.bytes"), figure("runs.inPool"));
  }

  /** The sum over all executors of one core each, none of which is busy. */
  public static PoolFigures ofAll(JavaSparkContext context, int executors) {
    ClassTag<String> tag = ClassTag$.MODULE$.apply(String.class);
    Task task = ignored -> CollectionConverters.asScala(List.of(here().line())).iterator();
    // The tasks of a barrier stage start all at once: each executor gets one.
    String[] lines =
        (String[])
            context
                .parallelize(IntStream.range(0, executors).boxed().toList(), executors)
                .rdd()
                .barrier()
                .mapPartitions(task, false, tag)
                .collect();
    return Arrays.stream(lines)
        .map(PoolFigures::parse)
        .reduce(new PoolFigures(0, 0, 0), PoolFigures::plus);
  }

  private static long figure(String name) {
    long sum = 0;
    for (Source source :
        CollectionConverters.asJava(SparkEnv.get().metricsSystem().getSourcesByName("verbena"))) {
      Metric metric = source.metricRegistry().getMetrics().get(name);
      if (metric instanceof Gauge<?> gauge) {
        sum += ((Number) gauge.getValue()).longValue();
      } else {
        sum += ((Counting) metric).getCount();
      }
    }
    return sum;
  }

  private PoolFigures plus(PoolFigures other) {
    return new PoolFigures(pool + other.pool, received + other.received, runs + other.runs);
  }

  /** Results travel as text: every serializer can write that. */
  private String line() {
    return pool + " " + received + " " + runs;
  }

  private static PoolFigures parse(String line) {
    String[] fields = line.split(" ", 3);
    return new PoolFigures(
        Long.parseLong(fields[0]), Long.parseLong(fields[1]), Long.parseLong(fields[2]));
  }
}
