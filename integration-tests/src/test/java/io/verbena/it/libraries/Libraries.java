package io.verbena.it.libraries;

import io.verbena.it.cluster.Executors;
import java.nio.file.Path;
import org.apache.spark.SparkConf;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.sql.SparkSession;

/**
 * Runs each library once and prints what it gave, and what its shuffles did and left ({@link
 * Printer}). Arguments: a {@link Scale}, an empty folder for the stream and for checkpoints.
 */
public final class Libraries {
  private Libraries() {}

  public static void main(String[] args) throws Exception {
    Scale scale = Scale.valueOf(args[0]);
    Path folder = Path.of(args[1]);
    SparkConf conf =
        new SparkConf()
            .setAppName("libraries")
            .set("spark.sql.shuffle.partitions", "3")
            .set("spark.sql.streaming.numRecentProgressUpdates", "1000")
            // A batch for each pair of files, and none besides.
            .set("spark.sql.streaming.noDataMicroBatches.enabled", "false");
    try (SparkSession session = SparkSession.builder().config(conf).getOrCreate()) {
      JavaSparkContext context = JavaSparkContext.fromSparkContext(session.sparkContext());
      Executors.awaitAll(context);
      context.setCheckpointDir(folder.resolve("rdd-checkpoints").toString());
      Printer printer = new Printer(context);
      EventCounts.run(session, printer, scale, folder);
      printer.end("stream");
      Ratings.run(session, printer, scale);
      printer.end("als");
      Clusters.run(session, printer, scale);
      printer.end("kmeans");
      Ranks.run(context, printer, scale);
      printer.end("pagerank");
    }
  }
}
