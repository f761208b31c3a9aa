package io.verbena.bench;

import com.codahale.metrics.Counter;
import com.codahale.metrics.Gauge;
import java.io.Serializable;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryPoolMXBean;
import java.lang.management.MemoryType;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
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
 * What an executor tells of itself: of its JVM, and what the plugin gives to Spark's metrics
 * system.
 *
 * @param executorId the executor
 * @param gauges figures of the moment, by name
 * @param counters what only grows, by name
 */
record ExecutorFigures(
    String executorId, Map<String, Double> gauges, Map<String, Double> counters) {
  /** Seconds that the collectors took. */
  static final String GC_SECONDS = "jvm.gcSeconds";

  /** Sum of the highest uses of all heap pools since they were last asked to begin anew. */
  static final String HEAP_PEAK = "jvm.heapPeak";

  private static final String SOURCE = "verbena";

  /** A function that Spark can send. */
  private interface Task extends Function1<Iterator<Integer>, Iterator<String>>, Serializable {}

  /**
   * Asks every executor: the tasks of a barrier stage start all at once, so as many as there are
   * cores, one to an executor, take all executors. They need not meet, which would take a second.
   */
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

  /** Figures of now, with counters since {@code before}; of an executor that was not there, all. */
  static List<ExecutorFigures> since(List<ExecutorFigures> now, List<ExecutorFigures> before) {
    return now.stream()
        .map(
            figures ->
                before.stream()
                    .filter(earlier -> earlier.executorId.equals(figures.executorId))
                    .findFirst()
                    .map(figures::minus)
                    .orElse(figures))
        .toList();
  }

  private ExecutorFigures minus(ExecutorFigures earlier) {
    Map<String, Double> grown = new TreeMap<>(counters);
    grown.replaceAll((name, value) -> value - earlier.counters.getOrDefault(name, 0.0));
    return new ExecutorFigures(executorId, gauges, grown);
  }

  /** A gauge or counter; 0 where there is none of the name. */
  double figure(String name) {
    return gauges.getOrDefault(name, counters.getOrDefault(name, 0.0));
  }

  /** Reads, and lets the peaks of the heap begin anew. */
  private static ExecutorFigures here() {
    ExecutorFigures figures =
        new ExecutorFigures(SparkEnv.get().executorId(), new TreeMap<>(), new TreeMap<>());
    figures.addJvm();
    figures.addPlugin();
    return figures;
  }

  private void addJvm() {
    long peak = 0;
    for (MemoryPoolMXBean pool : ManagementFactory.getMemoryPoolMXBeans()) {
      if (pool.getType() == MemoryType.HEAP) {
        peak += pool.getPeakUsage().getUsed();
        pool.resetPeakUsage();
      }
    }
    gauges.put(HEAP_PEAK, (double) peak);
    long millis = 0;
    for (GarbageCollectorMXBean collector : ManagementFactory.getGarbageCollectorMXBeans()) {
      millis += Math.max(0, collector.getCollectionTime());
    }
    counters.put(GC_SECONDS, millis / 1e3);
  }

  private void addPlugin() {
    for (Source source :
        CollectionConverters.asJava(SparkEnv.get().metricsSystem().getSourcesByName(SOURCE))) {
      source
          .metricRegistry()
          .getMetrics()
          .forEach(
              (name, metric) -> {
                if (metric instanceof Gauge<?> gauge && gauge.getValue() instanceof Number number) {
                  gauges.put(name, number.doubleValue());
                } else if (metric instanceof Counter counter) {
                  counters.put(name, (double) counter.getCount());
                }
              });
    }
  }
}
