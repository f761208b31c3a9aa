package io.verbena.bench.work;

import java.util.function.Supplier;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;

/** Hash repartition of rows of three columns. */
final class SqlRepartition extends SqlWorkload {
  SqlRepartition() {
    super(
        "sql-repartition",
        "hash repartition of 12 million rows of three columns",
        new Size(8, 64, 12_000_000));
  }

  @Override
  Supplier<Digest> execute(WorkContext context) {
    Digest digest = digest(query(context));
    return () -> digest;
  }

  private static Dataset<Row> query(WorkContext context) {
    Size size = context.size();
    Dataset<Row> rows =
        context
            .session()
            .range(0, size.records(), 1, size.maps())
            .selectExpr("id", "xxhash64(id) as key", "id * 0.25D as value");
    return rows.repartition(size.reduces(), rows.col("key"));
  }
}
