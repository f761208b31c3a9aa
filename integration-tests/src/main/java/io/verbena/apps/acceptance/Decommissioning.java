package io.verbena.apps.acceptance;

import io.verbena.it.cluster.Await;
import io.verbena.it.cluster.Executors;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.spark.ExecutorAllocationClient;
import org.apache.spark.HashPartitioner;
import org.apache.spark.SparkContext;
import org.apache.spark.SparkEnv;
import org.apache.spark.api.java.JavaPairRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.scheduler.ExecutorDecommissionInfo;
import org.apache.spark.util.CollectionAccumulator;
import scala.Option;
import scala.Tuple2;

/** An executor with map outputs is told to leave: they move, and none is computed again. */
final class Decommissioning {
  private static final Duration LIMIT = Duration.ofMinutes(2);
  private static final int MAPS = 4;
  private static final int REDUCES = 3;
  private static final int RECORDS = 20_000;

  private Decommissioning() {}

  /** Options without which map outputs do not move. */
  static final Map<String, String> OPTIONS =
      Map.of(
          "spark.decommission.enabled",
          "true",
          "spark.storage.decommission.enabled",
          "true",
          "spark.storage.decommission.shuffleBlocks.enabled",
          "true",
          // How often Spark looks whether anything is left to migrate; 30 s by default.
          "spark.storage.decommission.replicationReattemptInterval",
          "1s");

  static Case movedMapOutputs() {
    return new Case(
        "map outputs of a decommissioned executor", (session, context) -> moved(context));
  }

  private static String moved(JavaSparkContext context) throws InterruptedException {
    // One that has just come is no peer for map outputs until its block manager is known.
    Executors.awaitAll(context);
    CollectionAccumulator<String> ran = context.sc().collectionAccumulator("map tasks");
    JavaPairRDD<Integer, Integer> shuffled =
        RddCases.numbers(context, RECORDS, MAPS)
            .mapPartitions(
                records -> {
                  ran.add(SparkEnv.get().executorId());
                  return records;
                })
            .mapToPair(i -> new Tuple2<>(i * 31, i))
            .partitionBy(new HashPartitioner(REDUCES));
    String before = Digest.of(shuffled.map(pair -> pair.toString()));
    List<String> first = new ArrayList<>(ran.value());
    decommission(context.sc(), first.get(0));
    awaitOneLeft(context);
    String after = Digest.of(shuffled.map(pair -> pair.toString()));
    List<String> all = ran.value();
    if (!before.equals(after) || all.size() != MAPS) {
      throw new IllegalStateException(
          "%s before, %s after; map tasks ran on executors %s before, %s in all; executor %s left"
              .formatted(before, after, first, all, first.get(0)));
    }
    return after + ", no map task run again";
  }

  private static void decommission(SparkContext context, String executor) {
    ExecutorAllocationClient client = (ExecutorAllocationClient) context.schedulerBackend();
    ExecutorDecommissionInfo why = new ExecutorDecommissionInfo("a test says so", Option.empty());
    // The target is lowered, so that no other executor comes in its place.
    if (!client.decommissionExecutor(executor, why, true, false)) {
      throw new IllegalStateException("executor " + executor + " cannot be decommissioned");
    }
  }

  private static void awaitOneLeft(JavaSparkContext context) throws InterruptedException {
    // The driver is among them.
    Await.until(
        "the end of one of two executors",
        LIMIT,
        () -> context.sc().statusTracker().getExecutorInfos().length == 2);
  }
}
