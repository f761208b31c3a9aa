package io.verbena.apps.acceptance;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;

/** Shuffles of SQL, with adaptive execution and without. */
final class SqlCases {
  private static final long ROWS = 6_000;
  private static final String ADAPTIVE = "spark.sql.adaptive.enabled";

  /**
   * @param wanted what the plan must say when execution is adaptive; empty for nothing
   */
  private record Query(String name, String text, String wanted) {}

  private static final List<Query> QUERIES =
      List.of(
          new Query(
              "aggregate",
              "select k, count(*) c, sum(v) s, max(s) m from facts group by k",
              "coalesced"),
          new Query(
              "distinct aggregate", "select k % 9, count(distinct s) from facts group by 1", ""),
          new Query(
              "sort merge join",
              "select /*+ merge(d) */ f.id, f.s, d.d from facts f join dimensions d on f.k = d.k",
              ""),
          new Query(
              "shuffle hash join",
              "select /*+ shuffle_hash(d) */ f.id, d.d from facts f left join dimensions d"
                  + " on f.k = d.k",
              ""),
          new Query(
              "skew join",
              "select /*+ merge(d) */ f.id, d.d from facts f join dimensions d on f.k = d.k"
                  + " where f.v >= 0",
              "skewed"),
          new Query(
              "join that becomes a broadcast",
              "select f.id, d.d from facts f join (select k, max(d) d from dimensions"
                  + " where k % 100 = 7 group by k) d on f.k = d.k",
              "local"),
          new Query(
              "window",
              "select id, k, row_number() over (partition by k order by id) r,"
                  + " sum(v) over (partition by k order by id) t from facts",
              ""),
          new Query("order", "select id, s from facts order by v desc, id", ""),
          new Query(
              "repartition by column", "select /*+ repartition(7, k) */ id, s from facts", ""),
          new Query("round robin repartition", "select /*+ repartition(5) */ id, a from facts", ""),
          new Query("one partition", "select /*+ repartition(1) */ id, s from facts", ""),
          new Query("null keys", "select n, count(*), max(s) from facts group by n", ""),
          new Query("no rows", "select k, count(*) from facts where id < 0 group by k", ""),
          new Query(
              "rows larger than a page",
              "select k, length(w), substring(w, -9) from (select /*+ repartition(3, k) */ k,"
                  + " concat(repeat(s, 200000), k) w from facts where id < 8)",
              ""));

  /** What is run without adaptive execution too. */
  private static final Set<String> PLAIN =
      Set.of(
          "aggregate", "sort merge join", "shuffle hash join", "window", "round robin repartition");

  private SqlCases() {}

  static List<Case> all() {
    List<Case> cases = new ArrayList<>();
    for (Query query : QUERIES) {
      cases.add(new Case(name(query, "adaptive"), (session, c) -> run(session, query, true)));
      if (PLAIN.contains(query.name())) {
        cases.add(
            new Case(name(query, "not adaptive"), (session, c) -> run(session, query, false)));
      }
    }
    return List.copyOf(cases);
  }

  private static String name(Query query, String how) {
    return "SQL " + query.name() + ", " + how;
  }

  private static String run(SparkSession session, Query query, boolean adaptive)
      throws ReflectiveOperationException {
    session.sql("set " + ADAPTIVE + "=" + adaptive);
    views(session);
    Dataset<Row> result = session.sql(query.text());
    String digest = Digest.of(result);
    String plan = Inside.plan(result);
    if (adaptive && !plan.contains(query.wanted())) {
      throw new IllegalStateException("no \"" + query.wanted() + "\" in the plan: " + plan);
    }
    return digest;
  }

  private static void views(SparkSession session) {
    session
        .range(0, ROWS, 1, 4)
        .selectExpr(
            "id",
            // Half of all rows have one key: skewed.
            "case when id % 2 = 0 then 7 else id % 500 end as k",
            "id * 31 % 1009 as v",
            "concat('name ', id % 97) as s",
            "case when id % 3 = 0 then null else id % 5 end as n",
            "case when id % 5 = 0 then null else array(id, id + 1) end as a")
        .createOrReplaceTempView("facts");
    session
        .range(0, 500, 1, 3)
        .selectExpr("id as k", "concat('dimension ', id) as d")
        .createOrReplaceTempView("dimensions");
  }
}
