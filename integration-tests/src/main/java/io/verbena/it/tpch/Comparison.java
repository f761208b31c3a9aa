package io.verbena.it.tpch;

import io.verbena.apps.tpch.QueryResult;
import io.verbena.it.demo.ShuffleReport;
import io.verbena.it.tpch.TpchRun.Results;
import io.verbena.it.tpch.TpchRun.Run;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * What is wrong with results on Verbena, those on Spark's own shuffle being right. Each query has
 * rows, whatever the scale, and shuffles.
 */
public final class Comparison {
  private final Results spark;
  private final Results verbena;
  private final List<String> problems = new ArrayList<>();

  private Comparison(Results spark, Results verbena) {
    this.spark = spark;
    this.verbena = verbena;
  }

  /** One line for each thing that is wrong; empty when all is right. */
  public static List<String> problems(Results spark, Results verbena) {
    Comparison comparison = new Comparison(spark, verbena);
    comparison.compareAll();
    return List.copyOf(comparison.problems);
  }

  private void compareAll() {
    spark.queries().forEach(this::compare);
    verbena.queries().keySet().stream()
        .filter(run -> !spark.queries().containsKey(run))
        .forEach(run -> problems.add(name(run) + ": no result of Spark's own shuffle"));
    checkPlansAgree();
    checkReport();
  }

  private void compare(Run run, QueryResult right) {
    QueryResult ours = verbena.queries().get(run);
    if (ours == null) {
      problems.add(name(run) + ": no result of Verbena");
      return;
    }
    boolean usable = check(run, "Spark's own shuffle", right);
    usable &= check(run, "Verbena", ours);
    if (!usable) {
      return;
    }
    if (!ours.digest().equals(right.digest())) {
      problems.add(
          "%s: %d rows, digest %s, first %s; with Spark's own shuffle %d rows, digest %s, first %s"
              .formatted(
                  name(run),
                  ours.rows(),
                  ours.digest(),
                  ours.first(),
                  right.rows(),
                  right.digest(),
                  right.first()));
    } else if (!ours.ordered().equals(right.ordered())) {
      problems.add(name(run) + ": the right rows in another order than Spark's own shuffle gives");
    }
  }

  private boolean check(Run run, String who, QueryResult result) {
    int before = problems.size();
    if (result.error() != null) {
      problems.add("%s, %s: %s".formatted(name(run), who, result.error()));
    } else if (result.rows() == 0) {
      problems.add("%s, %s: an empty answer".formatted(name(run), who));
    } else if (result.shuffle().bytesWritten() == 0 || blocks(result) == 0) {
      problems.add("%s, %s: nothing was shuffled: %s".formatted(name(run), who, result.shuffle()));
    }
    return problems.size() == before;
  }

  private static long blocks(QueryResult result) {
    return result.shuffle().localBlocks() + result.shuffle().remoteBlocks();
  }

  /** A query has one answer, whichever plan it was run by. */
  private void checkPlansAgree() {
    spark
        .queries()
        .forEach(
            (run, result) ->
                Optional.ofNullable(spark.queries().get(new Run(run.query(), !run.adaptive())))
                    .filter(other -> run.adaptive() && !other.digest().equals(result.digest()))
                    .ifPresent(
                        other ->
                            problems.add(
                                run.query()
                                    + ": Spark's own shuffle gives another answer without adaptive"
                                    + " execution")));
  }

  private void checkReport() {
    long read = 0;
    for (ShuffleReport.Executor executor : verbena.report().executors()) {
      read += executor.readBytes().values().stream().mapToLong(Long::longValue).sum();
      executor
          .falls()
          .forEach(
              (fall, count) ->
                  problems.add(
                      "executor %s fell %d times %s".formatted(executor.executor(), count, fall)));
      if (executor.checksumFailures() > 0) {
        problems.add(
            "executor %s: %d checksum failures"
                .formatted(executor.executor(), executor.checksumFailures()));
      }
    }
    if (read == 0) {
      problems.add("executors have read nothing of one another through Verbena");
    }
  }

  private static String name(Run run) {
    return String.format(
        Locale.ROOT, "%s, adaptive %s", run.query(), run.adaptive() ? "on" : "off");
  }
}
