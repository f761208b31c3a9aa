package io.verbena.it.tpch;

import io.verbena.apps.tpch.QueryResult;
import io.verbena.it.MarkdownTable;
import io.verbena.it.tpch.TpchRun.Results;
import io.verbena.it.tpch.TpchRun.Run;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Results as a table for people: a line for each query, times in seconds. */
final class TpchTable {
  private static final double MEGABYTE = 1e6;
  private static final List<String> HEADER =
      List.of(
          "query",
          "rows",
          "same",
          "MB shuffled",
          "adaptive: Spark",
          "Verbena",
          "not adaptive: Spark",
          "Verbena");

  private TpchTable() {}

  static String draw(Results spark, Results verbena) {
    List<List<String>> rows = new ArrayList<>();
    List<String> queries = spark.queries().keySet().stream().map(Run::query).distinct().toList();
    for (String query : queries) {
      rows.add(row(query, spark.queries(), verbena.queries()));
    }
    rows.add(
        List.of(
            "all",
            "",
            "",
            "",
            total(spark, true),
            total(verbena, true),
            total(spark, false),
            total(verbena, false)));
    return MarkdownTable.draw(HEADER, rows);
  }

  private static List<String> row(
      String query, Map<Run, QueryResult> spark, Map<Run, QueryResult> verbena) {
    Run adaptive = new Run(query, true);
    Run plain = new Run(query, false);
    QueryResult shown = spark.get(adaptive);
    boolean same = same(spark, verbena, adaptive) && same(spark, verbena, plain);
    return List.of(
        query,
        Long.toString(shown.rows()),
        same ? "yes" : "NO",
        format(shown.shuffle().bytesWritten() / MEGABYTE),
        seconds(shown),
        seconds(verbena.get(adaptive)),
        seconds(spark.get(plain)),
        seconds(verbena.get(plain)));
  }

  private static boolean same(Map<Run, QueryResult> spark, Map<Run, QueryResult> verbena, Run run) {
    QueryResult right = spark.get(run);
    QueryResult ours = verbena.get(run);
    return right != null
        && ours != null
        && right.error() == null
        && ours.error() == null
        && right.digest().equals(ours.digest());
  }

  private static String total(Results results, boolean adaptive) {
    return format(
        results.queries().values().stream()
            .filter(result -> result.adaptive() == adaptive)
            .mapToDouble(QueryResult::seconds)
            .sum());
  }

  private static String seconds(QueryResult result) {
    return result == null || result.error() != null ? "failed" : format(result.seconds());
  }

  private static String format(double value) {
    return String.format(Locale.ROOT, "%.1f", value);
  }
}
