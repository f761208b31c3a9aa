package io.verbena.apps.acceptance;

import io.verbena.it.cluster.Executors;
import java.util.List;
import java.util.Locale;
import org.apache.spark.SparkConf;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.sql.SparkSession;

/**
 * Runs cases under one setting after the other and prints a line for each: {@code
 * MANAGER|SETTING|CASE|ok|RESULT}, or {@code failed} and why. Arguments: {@code MANAGER:SETTING},
 * as often as there is something to run, {@code MANAGER} being {@code sort} or a class name. Exit
 * code 0 whatever cases say.
 */
public final class Acceptance {
  private static final int LONGEST_MESSAGE = 600;

  private Acceptance() {}

  public static void main(String[] args) throws InterruptedException {
    for (String arg : args) {
      String[] fields = arg.split(":", 2);
      run(fields[0], Setting.valueOf(fields[1].toUpperCase(Locale.ROOT)));
    }
  }

  private static void run(String manager, Setting setting) throws InterruptedException {
    SparkConf conf = new SparkConf().setAppName("acceptance " + setting);
    setting.options().forEach(conf::setIfMissing);
    conf.set("spark.shuffle.manager", manager)
        .setIfMissing("spark.buffer.pageSize", "1m")
        .setIfMissing("spark.sql.shuffle.partitions", "9")
        .setIfMissing("spark.sql.adaptive.advisoryPartitionSizeInBytes", "16k")
        .setIfMissing("spark.sql.adaptive.coalescePartitions.minPartitionSize", "4k")
        .setIfMissing("spark.sql.adaptive.skewJoin.skewedPartitionThresholdInBytes", "16k")
        .setIfMissing("spark.sql.autoBroadcastJoinThreshold", "3k")
        .setIfMissing("spark.shuffle.rdma.pool.regionSize", "16m");
    SparkSession session = SparkSession.builder().config(conf).getOrCreate();
    try {
      JavaSparkContext context = JavaSparkContext.fromSparkContext(session.sparkContext());
      Executors.awaitAll(context);
      for (Case each : setting.cases()) {
        report(manager, setting, each.name(), result(each, session, context));
      }
    } finally {
      session.stop();
    }
  }

  private static List<String> result(Case each, SparkSession session, JavaSparkContext context) {
    try {
      return List.of("ok", each.body().run(session, context));
    } catch (Exception | LinkageError e) {
      System.err.println(each.name());
      e.printStackTrace();
      String text = e.toString().replaceAll("\\s+", " ");
      return List.of("failed", text.substring(0, Math.min(LONGEST_MESSAGE, text.length())));
    }
  }

  private static void report(String manager, Setting setting, String name, List<String> result) {
    System.out.println(
        String.join("|", manager, setting.name(), name, result.get(0), result.get(1)));
  }
}
