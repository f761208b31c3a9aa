package io.verbena.it.jobs;

import io.verbena.it.jobs.Job.Load;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeoutException;
import java.util.stream.IntStream;
import org.apache.spark.ShuffleDependency;
import org.apache.spark.SparkConf;
import org.apache.spark.api.java.JavaPairRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.scheduler.SparkListener;
import org.apache.spark.scheduler.SparkListenerBlockUpdated;
import org.apache.spark.storage.BlockId;
import org.apache.spark.storage.ShuffleDataBlockId;
import org.apache.spark.storage.ShuffleIndexBlockId;
import org.apache.spark.util.CollectionAccumulator;

/**
 * Shuffles that are read twice, with gates at which a test lets executors go. Arguments: folder of
 * the {@link Gates}, load, number of rounds.
 *
 * <p>Gates of round R are those of {@link GatedJob}; {@code R-between} comes after all executors
 * have read once, and so know where map outputs are. Prints for each round what was read the second
 * time, which map tasks have run, and the blocks of Spark's shuffle that listeners heard to be in
 * another place: {@code count=40000 sum=1f2e maps=[0, 1] moved=[data, index]}. Removes the
 * shuffles.
 */
public final class DecommissionJob {
  private DecommissionJob() {}

  public static void main(String[] args) throws Exception {
    Gates gates = new Gates(Path.of(args[0]));
    Load load = Load.parse(args[1]);
    SparkConf conf = new SparkConf().setAppName("decommission");
    try (JavaSparkContext context = new JavaSparkContext(conf)) {
      Moved moved = new Moved();
      context.sc().addSparkListener(moved);
      for (int round = 0; round < Integer.parseInt(args[2]); round++) {
        System.out.println(run(context, gates, load, round + "-") + moved.take(context));
      }
    }
  }

  /** Hears of map outputs that were moved. */
  private static final class Moved extends SparkListener {
    private final List<String> kinds = new ArrayList<>();

    @Override
    public synchronized void onBlockUpdated(SparkListenerBlockUpdated event) {
      BlockId block = event.blockUpdatedInfo().blockId();
      if (block instanceof ShuffleDataBlockId) {
        kinds.add("data");
      } else if (block instanceof ShuffleIndexBlockId) {
        kinds.add("index");
      }
    }

    String take(JavaSparkContext context) throws TimeoutException {
      context.sc().listenerBus().waitUntilEmpty();
      synchronized (this) {
        String moved = " moved=" + kinds;
        kinds.clear();
        return moved;
      }
    }
  }

  private static String run(JavaSparkContext context, Gates gates, Load load, String prefix)
      throws Exception {
    CollectionAccumulator<Integer> ran = context.sc().collectionAccumulator("maps");
    List<Integer> parts = IntStream.range(0, load.maps()).boxed().toList();
    JavaPairRDD<Long, byte[]> shuffled =
        context
            .parallelize(parts, load.maps())
            .flatMapToPair(
                part -> {
                  ran.add(part);
                  return GatedJob.gated(gates, prefix + "map-" + part, part, load);
                })
            .partitionBy(load.partitioner());
    long count = shuffled.count();
    gates.pass(prefix + "between");
    Outcome outcome =
        Job.sum(
            shuffled
                .mapPartitions(records -> Job.text(GatedJob.digest(records, gates, prefix)))
                .collect());
    if (outcome.count() != count) {
      throw new IllegalStateException(count + " records the first time, then " + outcome);
    }
    var dependency = (ShuffleDependency<?, ?, ?>) shuffled.rdd().dependencies().head();
    GatedJob.remove(dependency.shuffleId());
    return outcome + " maps=" + ran.value().stream().sorted().toList();
  }
}
