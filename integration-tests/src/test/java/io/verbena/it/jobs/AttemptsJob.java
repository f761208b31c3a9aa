package io.verbena.it.jobs;

import io.verbena.it.jobs.Job.Load;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.apache.spark.HashPartitioner;
import org.apache.spark.ShuffleDependency;
import org.apache.spark.SparkConf;
import org.apache.spark.SparkEnv;
import org.apache.spark.TaskContext;
import org.apache.spark.api.java.JavaPairRDD;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.shuffle.FetchFailedException;
import scala.Tuple2;

/**
 * Attempts of tasks whose output nobody wants. Arguments: folder of the {@link Gates}, a load of
 * two map tasks, number of executors. Three shuffles, a line for each:
 *
 * <ol>
 *   <li>An attempt of a map task writes other records, waits at the gate {@code loser}, and commits
 *       although a speculative copy was faster and it was killed. Then {@code loser-ended} opens.
 *   <li>A map task of a stage that failed waits at {@code zombie} while the stage's next attempt
 *       runs to its end; readers have been told where that one's output is, and wait at {@code
 *       zombie-reduce-P}. Then {@code zombie-ended} opens when it has replaced it.
 *   <li>Tasks that read and write are killed in the middle, at {@code doomed-P}, after the gate
 *       {@code kill}.
 * </ol>
 *
 * The last line tells what is left in pools and receive buffers when all shuffles are removed.
 */
public final class AttemptsJob {
  private static final String GROUP = "doomed";
  private static final long LARGE = 400_000;

  /** Records between two looks at the memory that a task holds. */
  private static final long LOOKS = 500;

  private final JavaSparkContext context;
  private final Gates gates;
  private final Load load;
  private final int executors;
  private final TaskEnds ends = new TaskEnds();

  private AttemptsJob(JavaSparkContext context, Gates gates, Load load, int executors) {
    this.context = context;
    this.gates = gates;
    this.load = load;
    this.executors = executors;
    context.sc().addSparkListener(ends);
  }

  public static void main(String[] args) throws Exception {
    Gates gates = new Gates(Path.of(args[0]));
    SparkConf conf = new SparkConf().setAppName("attempts");
    try (JavaSparkContext context = new JavaSparkContext(conf)) {
      AttemptsJob job =
          new AttemptsJob(context, gates, Load.parse(args[1]), Integer.parseInt(args[2]));
      job.speculate();
      // What comes wants to know where its tasks run; Spark looks at this for each set of tasks.
      context.sc().conf().set("spark.speculation.multiplier", "1000000");
      job.leaveZombie();
      job.kill();
      job.report();
    }
  }

  private void report() {
    PoolFigures left = PoolFigures.ofAll(context, executors);
    System.out.println("left: pool=" + left.pool() + " received=" + left.received());
  }

  private void speculate() throws Exception {
    Gates at = gates;
    Load size = load;
    JavaPairRDD<Long, byte[]> shuffled =
        parts()
            .mapPartitionsToPair(ignored -> perhapsLoser(at, size))
            .partitionBy(load.partitioner());
    ends.onKilled(() -> open("loser-ended"));
    context.sc().submitMapStage(dependency(shuffled)).get();
    gates.pass("between");
    long runs = PoolFigures.ofAll(context, executors).runs();
    System.out.println("speculative: " + digest(shuffled, "speculative-") + " runs=" + runs);
    GatedJob.remove(dependency(shuffled).shuffleId());
  }

  /** A plain iterator, which does not look whether its task was killed. */
  private static Iterator<Tuple2<Long, byte[]>> perhapsLoser(Gates gates, Load load)
      throws IOException {
    int part = TaskContext.getPartitionId();
    boolean loses = part == 0 && TaskContext.get().attemptNumber() == 0;
    if (loses) {
      gates.passInterrupted("loser");
    }
    // Those of the other part: a reader that takes them gives another sum.
    return Records.part(loses ? 1 : part, load.maps(), load.records(), load.keys());
  }

  private void leaveZombie() throws Exception {
    Gates at = gates;
    JavaPairRDD<Long, byte[]> first = Job.records(context, load).partitionBy(load.partitioner());
    int firstId = dependency(first).shuffleId();
    JavaPairRDD<Long, byte[]> second =
        first
            .mapPartitionsToPair(records -> failOrStay(at, firstId, records))
            .partitionBy(new HashPartitioner(load.reduces()));
    ends.onZombie(() -> open("zombie-ended"));
    System.out.println("zombie: " + digest(second, "zombie-"));
    GatedJob.remove(dependency(second).shuffleId());
    GatedJob.remove(firstId);
  }

  private static Iterator<Tuple2<Long, byte[]>> failOrStay(
      Gates gates, int shuffleId, Iterator<Tuple2<Long, byte[]>> records)
      throws IOException, InterruptedException, FetchFailedException {
    TaskContext task = TaskContext.get();
    if (task.stageAttemptNumber() == 0 && task.attemptNumber() == 0) {
      if (task.partitionId() == 0) {
        if (!records.hasNext()) { // Begins to read what is then reported lost.
          throw new IllegalStateException("no records in partition 0");
        }
        gates.passUninterrupted("zombie");
      } else {
        gates.awaitSomebodyAt("zombie");
        throw new FetchFailedException(
            SparkEnv.get().blockManager().shuffleServerId(),
            shuffleId,
            0L,
            0,
            task.partitionId(),
            "a test says so",
            null);
      }
    }
    return records;
  }

  private void kill() throws Exception {
    Gates at = gates;
    // Larger, since the first megabytes of a map output are still on their way into the pool.
    Load large = new Load(LARGE, load.keys(), load.maps(), load.reduces());
    JavaPairRDD<Long, byte[]> first = Job.records(context, large).partitionBy(load.partitioner());
    if (first.count() != LARGE) {
      throw new IllegalStateException("records are missing");
    }
    PoolFigures before = PoolFigures.ofAll(context, executors);
    JavaPairRDD<Long, byte[]> second =
        first
            .mapPartitionsToPair(records -> doomed(at, records))
            // Into one partition bytes go as they come.
            .partitionBy(new HashPartitioner(1));
    ExecutorService waiting = Executors.newSingleThreadExecutor();
    try {
      Future<?> ended =
          waiting.submit(
              () -> {
                context.setJobGroup(GROUP, "killed in the middle", true);
                return second.count();
              });
      gates.awaitOpen("kill");
      context.cancelJobGroup(GROUP);
      ends.awaitKilled(GROUP, 2);
      PoolFigures after = PoolFigures.ofAll(context, executors);
      System.out.println(
          "killed: " + (after.equals(before) ? "all is free" : after + ", before " + before));
      if (!ended.isDone()) {
        ended.cancel(true);
      }
    } finally {
      waiting.shutdownNow();
    }
    GatedJob.remove(dependency(second).shuffleId());
    GatedJob.remove(dependency(first).shuffleId());
  }

  /** Waits at its gate as soon as it holds memory of both kinds. */
  private static Iterator<Tuple2<Long, byte[]>> doomed(
      Gates gates, Iterator<Tuple2<Long, byte[]>> records) {
    PoolFigures before = PoolFigures.here();
    return new Iterator<>() {
      private long given;
      private boolean waited;

      @Override
      public boolean hasNext() {
        if (!waited && !records.hasNext()) {
          throw new IllegalStateException(
              "nothing to free after %d records: %s, before %s"
                  .formatted(given, PoolFigures.here(), before));
        }
        return records.hasNext();
      }

      @Override
      public Tuple2<Long, byte[]> next() {
        Tuple2<Long, byte[]> record = records.next();
        if (given++ % LOOKS == 0 && !waited && holdsBoth()) {
          waited = true;
          try {
            gates.pass("doomed-" + TaskContext.getPartitionId());
          } catch (IOException | InterruptedException e) {
            throw new IllegalStateException("killed, as it was meant to be", e);
          }
        }
        return record;
      }

      private boolean holdsBoth() {
        PoolFigures now = PoolFigures.here();
        return now.pool() > before.pool() && now.received() > 0;
      }
    };
  }

  private JavaRDD<Integer> parts() {
    List<Integer> parts = IntStream.range(0, load.maps()).boxed().toList();
    return context.parallelize(parts, load.maps());
  }

  private Outcome digest(JavaPairRDD<Long, byte[]> shuffled, String prefix) {
    Gates at = gates;
    return Job.sum(
        shuffled
            .mapPartitions(records -> Job.text(GatedJob.digest(records, at, prefix)))
            .collect());
  }

  private static ShuffleDependency<?, ?, ?> dependency(JavaPairRDD<?, ?> shuffled) {
    return (ShuffleDependency<?, ?, ?>) shuffled.rdd().dependencies().head();
  }

  private void open(String gate) {
    try {
      gates.open(gate);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
