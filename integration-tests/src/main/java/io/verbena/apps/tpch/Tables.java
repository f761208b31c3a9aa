package io.verbena.apps.tpch;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.IntStream;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.api.java.function.FlatMapFunction;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;

/** All tables as Parquet in a folder that driver and executors share. */
final class Tables {
  // Written last.
  private static final String COMPLETE = "COMPLETE";

  private final Path folder;

  Tables(Path folder) {
    this.folder = folder.toAbsolutePath();
  }

  boolean complete() {
    return Files.exists(folder.resolve(COMPLETE));
  }

  /** Makes them in tasks, each one part of one table. */
  void generate(SparkSession session, double scale, int parts) throws IOException {
    JavaSparkContext context = JavaSparkContext.fromSparkContext(session.sparkContext());
    for (Table table : Table.values()) {
      int count = table.divisible() ? parts : 1;
      JavaRDD<Row> rows =
          context
              .parallelize(IntStream.rangeClosed(1, count).boxed().toList(), count)
              .flatMap(part(table.name(), scale, count));
      session.createDataFrame(rows, table.schema()).write().mode("overwrite").parquet(path(table));
    }
    Files.writeString(folder.resolve(COMPLETE), "scale " + scale + "\n");
  }

  private static FlatMapFunction<Integer, Row> part(String table, double scale, int parts) {
    return part -> Table.valueOf(table).rows(scale, part, parts);
  }

  /** Makes them known to queries. */
  void open(SparkSession session) {
    for (Table table : Table.values()) {
      session
          .read()
          .schema(table.schema())
          .parquet(path(table))
          .createOrReplaceTempView(table.title());
    }
  }

  private String path(Table table) {
    return folder.resolve(table.title()).toUri().toString();
  }
}
