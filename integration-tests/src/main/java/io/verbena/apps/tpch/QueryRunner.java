package io.verbena.apps.tpch;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;

/** Runs queries on a session, one after the other. */
final class QueryRunner {
  private static final double NANOS_PER_SECOND = 1e9;
  private static final int DIGEST_BYTES = 8;

  private final SparkSession session;
  private final double scale;
  private final TaskCounter tasks = new TaskCounter();

  QueryRunner(SparkSession session, double scale) {
    this.session = session;
    this.scale = scale;
    session.sparkContext().addSparkListener(tasks);
  }

  /** The result without what its tasks did, which is known when the context has stopped. */
  QueryResult run(Query query, boolean adaptive, int round) {
    session.sql("set spark.sql.adaptive.enabled=" + adaptive);
    session
        .sparkContext()
        .setLocalProperty(TaskCounter.PROPERTY, name(query.title(), adaptive, round));
    long start = System.nanoTime();
    List<Row> rows;
    try {
      rows = session.sql(query.text(scale)).collectAsList();
    } catch (Exception e) {
      e.printStackTrace();
      return result(query, adaptive, round, seconds(start), List.of(), e.toString());
    } finally {
      session.sparkContext().setLocalProperty(TaskCounter.PROPERTY, null);
    }
    return result(query, adaptive, round, seconds(start), rows, null);
  }

  /** The result with what its tasks did. */
  QueryResult counted(QueryResult result) {
    return result.with(tasks.of(name(result.query(), result.adaptive(), result.round())));
  }

  private static String name(String query, boolean adaptive, int round) {
    return "%s %s %d".formatted(query, adaptive, round);
  }

  private static double seconds(long start) {
    return (System.nanoTime() - start) / NANOS_PER_SECOND;
  }

  private static QueryResult result(
      Query query, boolean adaptive, int round, double seconds, List<Row> rows, String error) {
    // All numbers are integers or decimals, so their text is exact.
    List<String> texts = rows.stream().map(Row::toString).toList();
    return new QueryResult(
        query.title(),
        adaptive,
        round,
        seconds,
        texts.size(),
        digest(texts.stream().sorted().toList()),
        digest(texts),
        texts.isEmpty() ? "" : texts.get(0),
        ShuffleTotals.NONE,
        error);
  }

  private static String digest(List<String> rows) {
    try {
      byte[] hash =
          MessageDigest.getInstance("SHA-256")
              .digest(String.join("\n", rows).getBytes(StandardCharsets.UTF_8));
      return HexFormat.of().formatHex(hash, 0, DIGEST_BYTES);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java has SHA-256", e);
    }
  }
}
