package io.verbena.bench.work;

import java.util.Map;
import java.util.function.Supplier;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;

/** Join of a large and a middling table by key. Both are shuffled: none is sent to all. */
final class SqlJoin extends SqlWorkload {
  private static final int ROWS_OF_A_KEY = 4;

  SqlJoin() {
    super(
        "sql-join",
        "sort-merge join of 6 million rows with 1.5 million",
        new Size(8, 64, 6_000_000));
  }

  @Override
  Map<String, String> sqlConf() {
    // At a small scale one side would be small enough to be sent to all, on one shuffle rather
    // than on the other, since sizes of blocks decide it.
    return Map.of(
        "spark.sql.autoBroadcastJoinThreshold",
        "-1",
        "spark.sql.adaptive.autoBroadcastJoinThreshold",
        "-1");
  }

  @Override
  Supplier<Digest> execute(WorkContext context) {
    Digest digest = digest(query(context));
    return () -> digest;
  }

  private static Dataset<Row> query(WorkContext context) {
    Size size = context.size();
    SparkSession session = context.session();
    long keys = Math.max(1, size.records() / ROWS_OF_A_KEY);
    Dataset<Row> large =
        session
            .range(0, size.records(), 1, size.maps())
            .selectExpr("id", "xxhash64(id %% %dL) as key".formatted(keys));
    Dataset<Row> small =
        session
            .range(0, keys, 1, size.maps())
            .selectExpr("xxhash64(id) as key", "xxhash64(id + 1) as payload");
    return large.join(small, "key").select("id", "key", "payload");
  }
}
