package io.verbena.bench.work;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.OptionalLong;
import java.util.function.Supplier;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.functions;
import scala.jdk.javaapi.CollectionConverters;

/**
 * How data for machine learning is prepared, with real data: three million flights of the United
 * States, joined with their airports; features of each route and of what flew it before; all rows
 * in random order; split for training and test; written as Parquet, in buckets. Sums are of whole
 * numbers, so that the result does not depend on the order in which blocks come.
 */
final class MlPrep extends SqlWorkload {
  private static final NpmPackage PACKAGE = new NpmPackage("vega-datasets", "3.2.1");
  private static final String FLIGHTS = "flights-3m.parquet";
  private static final String AIRPORTS = "airports.csv";
  private static final long ALL = 3_000_000;
  private static final int BUCKETS = 8;

  MlPrep() {
    super(
        "mlprep",
        "features of 3 million flights: join, group, window, global shuffle, Parquet buckets",
        new Size(2, 16, ALL));
  }

  /** Flights of airports that are not listed are left out. */
  @Override
  public OptionalLong expected(Size size) {
    return OptionalLong.empty();
  }

  @Override
  public void provide(Path data, Size size) throws IOException, InterruptedException {
    PACKAGE.provide("npm", folder(data), List.of("data/" + FLIGHTS, "data/" + AIRPORTS));
  }

  private static Path folder(Path data) {
    return data.resolve(PACKAGE.name() + "-" + PACKAGE.version());
  }

  @Override
  Supplier<Digest> execute(WorkContext context) {
    SparkSession session = context.session();
    String output = context.scratch().resolve("flights").toString();
    Dataset<Row> shuffled =
        features(located(context))
            .withColumn(
                "draw", functions.expr("xxhash64(day, delay, distance, origin, destination, copy)"))
            .repartition(context.size().reduces(), functions.col("draw"))
            .sortWithinPartitions("draw")
            .withColumn("part", functions.expr("if(pmod(draw, 10) < 8, 'train', 'test')"));
    String table = "bench_flights";
    session.sql("drop table if exists " + table);
    shuffled
        .write()
        .format("parquet")
        .option("path", output)
        .partitionBy("part")
        .bucketBy(BUCKETS, "origin")
        .saveAsTable(table);
    session.sql("drop table " + table);
    return () -> digest(session.read().parquet(output));
  }

  /** Flights, less or more than there are as the size says, with where their airports lie. */
  private static Dataset<Row> located(WorkContext context) {
    SparkSession session = context.session();
    Path folder = folder(context.data());
    long records = context.size().records();
    Dataset<Row> flights =
        session
            .read()
            .parquet(folder.resolve(FLIGHTS).toString())
            .selectExpr(
                "cast(date as date) as day",
                "cast(delay as int) as delay",
                "cast(distance as int) as distance",
                "origin",
                "destination",
                "explode(sequence(1, %d)) as copy".formatted(Math.max(1, records / ALL)));
    if (records < ALL) {
      flights =
          flights.where(
              "pmod(xxhash64(day, delay, distance, origin, destination), %d) < %d"
                  .formatted(ALL, records));
    }
    Dataset<Row> airports =
        session.read().option("header", "true").csv(folder.resolve(AIRPORTS).toString());
    return flights
        .join(airports.selectExpr("iata as origin", "state as origin_state"), "origin")
        .join(
            airports.selectExpr("iata as destination", "state as destination_state"),
            "destination");
  }

  /** Of the whole route, and of the flights before. */
  private static Dataset<Row> features(Dataset<Row> flights) {
    Dataset<Row> routes =
        flights
            .groupBy("origin_state", "origin", "destination")
            .agg(
                functions.expr("count(1) as route_flights"),
                functions.expr("sum(delay) as route_delay"),
                functions.expr("max(delay) as route_worst"));
    String before = "over (partition by origin, destination order by day, delay, distance, copy%s)";
    return flights
        .selectExpr(
            "*",
            "lag(delay) " + before.formatted("") + " as delay_before",
            "sum(delay) "
                + before.formatted(" rows between 10 preceding and 1 preceding")
                + " as delay_of_ten")
        .join(
            routes,
            CollectionConverters.asScala(List.of("origin_state", "origin", "destination")).toSeq());
  }
}
