package io.verbena.it.demo;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.apache.spark.SparkConf;
import org.apache.spark.api.java.JavaSparkContext;
import org.slf4j.LoggerFactory;
import scala.Tuple2;

/**
 * Takes the demo's arguments, shuffles a little and logs a report as Verbena's driver does. What it
 * is told to do is the last name of {@code --input}: "equal", "different" or "bad".
 */
public final class StubApp {
  private static final String REPORT =
      """
      Shuffle report: {"version":1,"executors":[{"executor":"0","host":"127.0.0.1",\
      "readBytes":{"shm":2048},"readBlocks":{"shm":7},"runsInPool":8,"poolBacking":"tmpfs",\
      "falls":{"verbs->shm: no RDMA device":2}}]}\
      """;

  private StubApp() {}

  public static void main(String[] args) throws IOException {
    List<String> words = List.of(args);
    String task = words.get(words.indexOf("--input") + 1).replaceFirst(".*/", "");
    if (task.equals("bad")) {
      System.err.println("error: frame 3, line 17: expected a number");
      System.exit(2);
    }
    SparkConf conf = new SparkConf().setAppName("stub");
    try (JavaSparkContext context = new JavaSparkContext(conf)) {
      long groups =
          context
              .parallelize(List.of(1, 2, 3, 4, 5, 6, 7, 8), 4)
              .mapToPair(number -> new Tuple2<>(number % 3, number))
              .groupByKey(4)
              .count();
      System.out.println("stub counted " + groups + " groups");
      String marked = task.equals("different") ? conf.get("spark.stub.run", "spark") : "";
      Files.writeString(Path.of(words.get(words.indexOf("--output") + 1)), groups + marked);
    }
    if (conf.contains("spark.stub.run")) {
      LoggerFactory.getLogger("io.verbena.spark.ShuffleReport").info(REPORT);
    }
  }
}
