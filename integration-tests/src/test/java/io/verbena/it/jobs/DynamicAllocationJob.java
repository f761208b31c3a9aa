package io.verbena.it.jobs;

import io.verbena.it.jobs.Job.Load;
import java.nio.file.Path;
import java.util.List;
import org.apache.spark.ShuffleDependency;
import org.apache.spark.SparkConf;
import org.apache.spark.api.java.JavaFutureAction;
import org.apache.spark.api.java.JavaPairRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.util.LongAccumulator;

/**
 * A shuffle whose one map task runs on one of two executors while the other is busy, with gates at
 * which a test looks which executors are there. Arguments: folder of the {@link Gates}, a load of
 * one map task.
 *
 * <p>Gates: {@code held} in the task that keeps the other executor busy; {@code map} in the map
 * task; {@code read} on the driver before the shuffle is read; {@code reduce-P} and {@code
 * reducing-P} as those of {@link GatedJob}; {@code remove} and {@code end} on the driver before the
 * shuffle is removed, and before the end. Prints what was read, and how often the map task ran.
 */
public final class DynamicAllocationJob {
  private DynamicAllocationJob() {}

  public static void main(String[] args) throws Exception {
    Gates gates = new Gates(Path.of(args[0]));
    Load load = Load.parse(args[1]);
    SparkConf conf = new SparkConf().setAppName("dynamic-allocation");
    try (JavaSparkContext context = new JavaSparkContext(conf)) {
      LongAccumulator maps = context.sc().longAccumulator("maps");
      JavaPairRDD<Long, byte[]> shuffled =
          context
              .parallelize(List.of(0), 1)
              .flatMapToPair(
                  part -> {
                    maps.add(1);
                    return GatedJob.gated(gates, "map", part, load);
                  })
              .partitionBy(load.partitioner());
      var dependency = (ShuffleDependency<?, ?, ?>) shuffled.rdd().dependencies().head();

      JavaFutureAction<Void> held =
          context.parallelize(List.of(0), 1).foreachAsync(each -> gates.pass("held"));
      gates.awaitSomebodyAt("held");
      context.sc().submitMapStage(dependency).get();
      gates.pass("read");
      held.get();
      Outcome outcome =
          Job.sum(
              shuffled
                  .mapPartitions(records -> Job.text(GatedJob.digest(records, gates, "")))
                  .collect());
      System.out.println(outcome + " maps=" + maps.value());
      gates.pass("remove");
      // Unlike GatedJob.remove this also tells those who count executors.
      context.sc().cleaner().get().doCleanupShuffle(dependency.shuffleId(), true);
      gates.pass("end");
    }
  }
}
