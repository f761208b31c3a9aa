package io.verbena.it.cluster;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.LongStream;
import org.apache.spark.SparkConf;
import org.apache.spark.SparkEnv;
import org.apache.spark.api.java.JavaPairRDD;
import org.apache.spark.api.java.JavaSparkContext;
import scala.Tuple2;

/**
 * Sums the numbers from 0 to N by their last digit through one shuffle and prints the sums.
 * Arguments: N, and optionally a file without which no reduce task goes on.
 */
public final class GroupingApp {
  private GroupingApp() {}

  public static void main(String[] args) throws InterruptedException {
    long numbers = Long.parseLong(args[0]);
    String gate = args.length > 1 ? args[1] : null;
    if (numbers < 0) {
      System.err.println("cannot sum fewer than 0 numbers: " + numbers);
      System.exit(3);
    }
    try (JavaSparkContext context = new JavaSparkContext(new SparkConf().setAppName("grouping"))) {
      Executors.awaitAll(context);
      List<Long> all = LongStream.range(0, numbers).boxed().toList();
      JavaPairRDD<Long, Long> byDigit =
          context.parallelize(all, 4).mapToPair(number -> new Tuple2<>(number % 10, number));
      Map<Long, Long> sums =
          byDigit
              .groupByKey(4)
              .mapPartitionsToPair(
                  groups -> {
                    passGate(gate);
                    return groups;
                  },
                  true)
              .mapValues(GroupingApp::sum)
              .collectAsMap();
      long total = sums.values().stream().mapToLong(Long::longValue).sum();
      System.out.println("groups=" + sums.size() + " total=" + total);
      System.out.println(
          "devShm=" + context.parallelize(List.of(0, 1), 2).map(i -> devShm()).collect());
    }
  }

  private static long sum(Iterable<Long> values) {
    long sum = 0;
    for (long value : values) {
      sum += value;
    }
    return sum;
  }

  private static void passGate(String gate) throws IOException, InterruptedException {
    if (gate == null) {
      return;
    }
    Path waiting = Path.of(gate + ".waiting-" + SparkEnv.get().executorId());
    if (Files.notExists(waiting)) {
      Files.writeString(waiting, "");
    }
    Await.until("the file " + gate, java.time.Duration.ofMinutes(2), () -> new File(gate).exists());
  }

  private static String devShm() {
    return SparkEnv.get().executorId() + ":" + new File("/dev/shm").getTotalSpace();
  }
}
