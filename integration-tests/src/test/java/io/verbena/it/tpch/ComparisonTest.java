package io.verbena.it.tpch;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbena.apps.tpch.QueryResult;
import io.verbena.apps.tpch.ShuffleTotals;
import io.verbena.it.demo.ShuffleReport;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class ComparisonTest {
  private static final ShuffleTotals SHUFFLED = new ShuffleTotals(3, 0, 1.5, 900, 10, 10, 2, 4);
  private static final ShuffleTotals NOTHING = new ShuffleTotals(3, 0, 1.5, 0, 0, 0, 0, 0);
  private static final QueryResult RIGHT = result(true, 7, "a", "b", SHUFFLED, null);

  private static QueryResult result(
      boolean adaptive,
      long rows,
      String digest,
      String ordered,
      ShuffleTotals shuffle,
      String error) {
    return new QueryResult("q03", adaptive, 1, 0.5, rows, digest, ordered, "[1]", shuffle, error);
  }

  private static TpchRun.Results results(ShuffleReport report, QueryResult... queries) {
    Map<TpchRun.Run, QueryResult> byRun = new LinkedHashMap<>();
    for (QueryResult query : queries) {
      byRun.put(new TpchRun.Run(query.query(), query.adaptive()), query);
    }
    return new TpchRun.Results(byRun, report);
  }

  private static ShuffleReport report(Map<String, Long> read, Map<String, Long> falls, long bad) {
    return new ShuffleReport(
        1,
        List.of(
            new ShuffleReport.Executor(
                "1", "host", 0, 0, read, Map.of(), 0, 0, 0, 0, "tmpfs", 0, 0, falls, bad, 0, 0)));
  }

  private static List<String> problems(QueryResult ours) {
    return Comparison.problems(
        results(null, RIGHT), results(report(Map.of("shm", 900L), Map.of(), 0), ours));
  }

  @Test
  void equalResultsAreRight() {
    assertThat(problems(RIGHT)).isEmpty();
  }

  @Test
  void otherRowsAreNamedWithThoseOfBoth() {
    assertThat(problems(result(true, 6, "x", "y", SHUFFLED, null)))
        .singleElement()
        .asString()
        .startsWith("q03, adaptive on: 6 rows, digest x,")
        .contains("7 rows, digest a");
  }

  @Test
  void orderOfRowsCounts() {
    assertThat(problems(result(true, 7, "a", "c", SHUFFLED, null)))
        .containsExactly(
            "q03, adaptive on: the right rows in another order than Spark's own shuffle gives");
  }

  @Test
  void emptyAnswersFailuresAndQueriesWithoutShuffleAreNoProof() {
    assertThat(problems(result(true, 0, "a", "b", SHUFFLED, null)))
        .containsExactly("q03, adaptive on, Verbena: an empty answer");
    assertThat(problems(result(true, 7, "a", "b", SHUFFLED, "lost")))
        .containsExactly("q03, adaptive on, Verbena: lost");
    assertThat(problems(result(true, 7, "a", "b", NOTHING, null)))
        .singleElement()
        .asString()
        .startsWith("q03, adaptive on, Verbena: nothing was shuffled");
  }

  @Test
  void missingResultsAreNamedOnBothSides() {
    QueryResult plain = result(false, 7, "a", "b", SHUFFLED, null);
    assertThat(problems(plain))
        .containsExactly(
            "q03, adaptive on: no result of Verbena",
            "q03, adaptive off: no result of Spark's own shuffle");
  }

  @Test
  void plansOfOneQueryMustAgree() {
    QueryResult plain = result(false, 7, "z", "b", SHUFFLED, null);
    ShuffleReport report = report(Map.of("shm", 900L), Map.of(), 0);
    assertThat(Comparison.problems(results(null, RIGHT, plain), results(report, RIGHT, plain)))
        .containsExactly(
            "q03: Spark's own shuffle gives another answer without adaptive execution");
  }

  @Test
  void fallsChecksumFailuresAndShufflesWithoutReadsAreProblems() {
    ShuffleReport report = report(Map.of(), Map.of("shm->netty: gone", 2L), 3);
    assertThat(Comparison.problems(results(null, RIGHT), results(report, RIGHT)))
        .containsExactly(
            "executor 1 fell 2 times shm->netty: gone",
            "executor 1: 3 checksum failures",
            "executors have read nothing of one another through Verbena");
  }
}
