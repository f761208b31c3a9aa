package io.verbena.it.jobs;

import io.verbena.it.cluster.Executors;
import io.verbena.it.jobs.Job.Load;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Iterator;
import java.util.List;
import java.util.stream.IntStream;
import org.apache.spark.ShuffleDependency;
import org.apache.spark.SparkConf;
import org.apache.spark.SparkEnv;
import org.apache.spark.TaskContext;
import org.apache.spark.api.java.JavaPairRDD;
import org.apache.spark.api.java.JavaSparkContext;
import scala.Tuple2;

/**
 * Shuffles one after the other, each in three steps with gates between them, so that a test can do
 * something at a chosen moment. Arguments: folder of the {@link Gates}, load, number of rounds.
 *
 * <p>Gates of round R: {@code R-map-M} in the middle of map task M; {@code R-between} on the driver
 * after the last map task; {@code R-reduce-P} in the task of partition P before it reads; {@code
 * R-reducing-P} after its first record. Prints a line for each round, when its shuffle is removed.
 */
public final class GatedJob {
  private GatedJob() {}

  public static void main(String[] args) throws Exception {
    Gates gates = new Gates(Path.of(args[0]));
    Load load = Load.parse(args[1]);
    try (JavaSparkContext context = new JavaSparkContext(new SparkConf().setAppName("gated"))) {
      Executors.awaitAll(context);
      for (int round = 0; round < Integer.parseInt(args[2]); round++) {
        System.out.println(run(context, gates, load, round));
      }
    }
  }

  static Outcome run(JavaSparkContext context, Gates gates, Load load, int round) throws Exception {
    String prefix = round + "-";
    List<Integer> parts = IntStream.range(0, load.maps()).boxed().toList();
    JavaPairRDD<Long, byte[]> shuffled =
        context
            .parallelize(parts, load.maps())
            .flatMapToPair(part -> gated(gates, prefix + "map-" + part, part, load))
            .partitionBy(load.partitioner());
    var dependency = (ShuffleDependency<?, ?, ?>) shuffled.rdd().dependencies().head();
    context.sc().submitMapStage(dependency).get();
    gates.pass(prefix + "between");
    Outcome outcome =
        Job.sum(
            shuffled.mapPartitions(records -> Job.text(digest(records, gates, prefix))).collect());
    remove(dependency.shuffleId());
    return outcome;
  }

  /** On the driver: removes a shuffle everywhere; returns when that is done. */
  static void remove(int shuffleId) {
    SparkEnv.get().blockManager().master().removeShuffle(shuffleId, true);
  }

  static Iterator<Tuple2<Long, byte[]>> gated(Gates gates, String gate, int part, Load load) {
    Iterator<Tuple2<Long, byte[]>> records =
        Records.part(part, load.maps(), load.records(), load.keys());
    long middle = load.records() / load.maps() / 2;
    return new Iterator<>() {
      private long given;

      @Override
      public boolean hasNext() {
        return records.hasNext();
      }

      @Override
      public Tuple2<Long, byte[]> next() {
        if (given++ == middle) {
          try {
            gates.pass(gate);
          } catch (IOException | InterruptedException e) {
            throw new IllegalStateException("at the gate " + gate, e);
          }
        }
        return records.next();
      }
    };
  }

  static Outcome digest(Iterator<Tuple2<Long, byte[]>> records, Gates gates, String prefix)
      throws IOException, InterruptedException {
    int partition = TaskContext.getPartitionId();
    gates.pass(prefix + "reduce-" + partition);
    Outcome outcome = Outcome.NOTHING;
    while (records.hasNext()) {
      Tuple2<Long, byte[]> record = records.next();
      if (outcome.count() == 0) {
        gates.pass(prefix + "reducing-" + partition);
      }
      outcome = outcome.plus(Records.digest(record._1(), record._2()));
    }
    return outcome;
  }
}
