package io.verbena.it.cluster;

import java.util.List;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.sql.SparkSession;
import scala.Tuple2;

/**
 * An application that loads the classes which masters, workers, drivers and executors need, so that
 * {@link ClassArchive} can keep them. Public because Spark calls it.
 */
public final class WarmUp {
  private WarmUp() {}

  public static void main(String[] args) throws ClassNotFoundException {
    for (String server :
        List.of(
            "org.apache.spark.deploy.master.Master",
            "org.apache.spark.deploy.worker.Worker",
            "org.apache.spark.deploy.worker.ExecutorRunner",
            "org.apache.spark.deploy.client.StandaloneAppClient",
            "org.apache.spark.executor.CoarseGrainedExecutorBackend",
            "org.apache.spark.scheduler.cluster.StandaloneSchedulerBackend")) {
      Class.forName(server, false, Thread.currentThread().getContextClassLoader());
    }
    SparkSession session = SparkSession.builder().appName("warm-up").getOrCreate();
    JavaSparkContext context = JavaSparkContext.fromSparkContext(session.sparkContext());
    long groups =
        context
            .parallelize(List.of(1, 2, 3, 4), 2)
            .mapToPair(number -> new Tuple2<>(number % 2, number))
            .groupByKey(2)
            .count();
    long rows = session.range(0, 100, 1, 2).repartition(2).distinct().count();
    session.stop();
    System.out.println("warm-up: " + groups + " groups, " + rows + " rows");
  }
}
