package io.verbena.it.jobs;

import io.verbena.it.cluster.Executors;
import org.apache.spark.SparkConf;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.sql.SparkSession;

/**
 * Runs jobs one after the other and prints a line for each, such as {@code SORT count=40000
 * sum=1f2e}. Arguments: a load ({@code RECORDS,KEYS,MAPS,REDUCES}) and the names of jobs.
 */
public final class ShuffleJobs {
  private ShuffleJobs() {}

  public static void main(String[] args) throws InterruptedException {
    Job.Load load = Job.Load.parse(args[0]);
    SparkConf conf = new SparkConf().setAppName("shuffle-jobs");
    String master = conf.get("spark.verbena.test.master", "");
    if (!master.isEmpty()) {
      conf.setMaster(master);
    }
    // Broadcast joins and merged partitions would leave little to shuffle.
    conf.set("spark.sql.autoBroadcastJoinThreshold", "-1");
    conf.set("spark.sql.adaptive.coalescePartitions.enabled", "false");
    conf.set("spark.sql.shuffle.partitions", Integer.toString(load.reduces()));
    SparkSession session = SparkSession.builder().config(conf).getOrCreate();
    try {
      Executors.awaitAll(JavaSparkContext.fromSparkContext(session.sparkContext()));
      for (int i = 1; i < args.length; i++) {
        System.out.println(args[i] + " " + Job.valueOf(args[i]).run(session, load));
      }
    } finally {
      session.stop();
    }
  }
}
