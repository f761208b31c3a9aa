package io.verbena.bench;

import com.codahale.metrics.Counter;
import com.codahale.metrics.Gauge;
import java.io.Serializable;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.apache.spark.BarrierTaskContext;
import org.apache.spark.SparkEnv;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.metrics.source.Source;
import scala.Function1;
import scala.collection.Iterator;
import scala.jdk.javaapi.CollectionConverters;
import scala.reflect.ClassTag;
import scala.reflect.ClassTag$;

/**
 * What the plugin tells of itself through Spark's metrics system, read on an executor.
 *
 * @param executorId the executor
 * @param figures gauges and counters by name; none on Spark's own shuffle
 */
record ExecutorFigures(String executorId, Map<String, Double> figures) {
  private static final String SOURCE = "verbena";

  /** A function that Spark can send. */
  private interface Task extends Function1<Iterator<Integer>, Iterator<String>>, Serializable {}

  /** Asks every executor: a barrier stage of as many tasks as there are cores takes them all. */
  static List<ExecutorFigures> collect(JavaSparkContext context) {
    int cores = context.defaultParallelism();
    List<Integer> tasks = IntStream.range(0, cores).boxed().toList();
    ClassTag<String> tag = ClassTag$.MODULE$.apply(String.class);
    // As JSON, since Spark's Kryo cannot write records.
    Task task = ignored -> CollectionConverters.asScala(List.of(Json.line(here())).iterator());
    String[] lines =
        (String[])
            context
                .parallelize(tasks, cores)
                .rdd()
                .barrier()
                .mapPartitions(task, false, tag)
                .collect();
    return Arrays.stream(lines).map(line -> Json.parse(line, ExecutorFigures.class)).toList();
  }

  private static ExecutorFigures here() {
    BarrierTaskContext.get().barrier();
    Map<String, Double> figures = new TreeMap<>();
    for (Source source :
        CollectionConverters.asJava(SparkEnv.get().metricsSystem().getSourcesByName(SOURCE))) {
      source
          .metricRegistry()
          .getMetrics()
          .forEach(
              (name, metric) -> {
                if (metric instanceof Gauge<?> gauge && gauge.getValue() instanceof Number number) {
                  figures.put(name, number.doubleValue());
                } else if (metric instanceof Counter counter) {
                  figures.put(name, (double) counter.getCount());
                }
              });
    }
    return new ExecutorFigures(SparkEnv.get().executorId(), figures);
  }
}
