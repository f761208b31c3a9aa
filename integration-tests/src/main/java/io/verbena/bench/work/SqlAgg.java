package io.verbena.bench.work;

import static org.apache.spark.sql.functions.expr;

import java.util.OptionalLong;
import java.util.function.Supplier;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;

/** Aggregation by very many keys, of which hardly one comes twice in a map task. */
final class SqlAgg extends SqlWorkload {
  private static final int ROWS_OF_A_KEY = 4;

  SqlAgg() {
    super(
        "sql-agg",
        "sum, number and maximum of 8 million rows by 2 million keys",
        new Size(8, 64, 8_000_000));
  }

  @Override
  public OptionalLong expected(Size size) {
    return OptionalLong.of(keys(size));
  }

  private static long keys(Size size) {
    return Math.max(1, size.records() / ROWS_OF_A_KEY);
  }

  @Override
  Supplier<Digest> execute(WorkContext context) {
    Digest digest = digest(query(context));
    return () -> digest;
  }

  private static Dataset<Row> query(WorkContext context) {
    Size size = context.size();
    return context
        .session()
        .range(0, size.records(), 1, size.maps())
        .selectExpr("xxhash64(id %% %dL) as key".formatted(keys(size)), "id")
        .groupBy("key")
        .agg(expr("sum(id % 1000)"), expr("count(id)"), expr("max(id)"));
  }
}
