package io.verbena.it.cluster;

import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import org.apache.spark.SparkEnv;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.JavaSparkContext;

/** For applications on a {@link StandaloneCluster}: their executors, seen from the driver. */
public final class Executors {
  /** Spark option with the number of executors that an application gets. */
  static final String COUNT = "spark.verbena.it.executors";

  private static final Duration LIMIT = Duration.ofMinutes(3);
  private static final long TASK_MILLIS = 50;

  private Executors() {}

  /**
   * Waits until each executor has run a task. Spark counts one as registered before it takes tasks,
   * which on a busy machine is seconds later: what an application does until then may all happen on
   * the other. Returns at once where no cluster has said how many there are.
   *
   * @throws ClusterException when the time is over before
   */
  public static void awaitAll(JavaSparkContext context) throws InterruptedException {
    int count = context.getConf().getInt(COUNT, 0);
    if (count > 0 && !context.isLocal()) {
      List<Integer> tasks = IntStream.range(0, count).boxed().toList();
      Await.until(
          "tasks on " + count + " executors",
          LIMIT,
          () -> {
            JavaRDD<String> ids = context.parallelize(tasks, count).map(Executors::idSlowly);
            return ids.collect().stream().distinct().count() >= count;
          });
    }
  }

  private static String idSlowly(int task) throws InterruptedException {
    Thread.sleep(TASK_MILLIS);
    return SparkEnv.get().executorId();
  }
}
