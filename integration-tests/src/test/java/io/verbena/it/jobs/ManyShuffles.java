package io.verbena.it.jobs;

import java.io.IOException;
import java.util.List;
import org.apache.spark.SparkConf;
import org.apache.spark.SparkContext;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.sql.SparkSession;

/**
 * Shuffles in large number, of which some live at the same time. Arguments: load, number of
 * executors, shuffles to warm up, further shuffles. Prints the {@link Footprint} of each process
 * when it is warm, and again at the end.
 */
public final class ManyShuffles {
  private static final List<Job> JOBS =
      List.of(Job.PARTITION_BY, Job.SORT, Job.GROUP_BY_KEY, Job.REDUCE_BY_KEY);

  /** Shuffles that are removed together. */
  private static final int BATCH = 25;

  private ManyShuffles() {}

  public static void main(String[] args) throws IOException {
    Job.Load load = Job.Load.parse(args[0]);
    int executors = Integer.parseInt(args[1]);
    SparkConf conf = new SparkConf().setAppName("many-shuffles");
    // Otherwise Spark's own record of jobs and tasks would grow during the test.
    for (String kept : List.of("Jobs", "Stages", "Tasks", "DeadExecutors")) {
      conf.set("spark.ui.retained" + kept, "20");
    }
    try (SparkSession session = SparkSession.builder().config(conf).getOrCreate()) {
      JavaSparkContext context = JavaSparkContext.fromSparkContext(session.sparkContext());
      run(session, load, Integer.parseInt(args[2]));
      Footprint.ofAll(context, executors).forEach(System.out::println);
      run(session, load, Integer.parseInt(args[3]));
      Footprint.ofAll(context, executors).forEach(System.out::println);
    }
  }

  private static void run(SparkSession session, Job.Load load, int shuffles) {
    SparkContext sc = session.sparkContext();
    int first = sc.newShuffleId();
    for (int i = 1; i <= shuffles; i++) {
      Job job = JOBS.get(i % JOBS.size());
      Outcome outcome = job.run(session, load);
      if (!outcome.equals(job.expected(load))) {
        throw new IllegalStateException(job + " gave " + outcome);
      }
      if (i % BATCH == 0 || i == shuffles) {
        int end = sc.newShuffleId();
        for (int shuffle = first + 1; shuffle < end; shuffle++) {
          sc.cleaner().get().doCleanupShuffle(shuffle, true);
        }
        first = end;
      }
    }
  }
}
