package io.verbena.it.sql;

import io.verbena.it.cluster.Executors;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;

/**
 * Runs queries that shuffle in different ways and prints lines {@code NAME TAB KIND TAB TEXT} of
 * each: {@code rows}, a digest that does not depend on their order, the {@link FinalPlan}, and what
 * tasks counted, {@code records} and {@code bytes}. Argument: number of rows.
 */
public final class QueriesApp {
  private final SparkSession session;
  private final TaskTotals totals = new TaskTotals();

  private QueriesApp(SparkSession session) {
    this.session = session;
    session.sparkContext().addSparkListener(totals);
  }

  public static void main(String[] args) throws InterruptedException {
    long rows = Long.parseLong(args[0]);
    SparkSession session = SparkSession.builder().appName("queries").getOrCreate();
    try {
      Executors.awaitAll(JavaSparkContext.fromSparkContext(session.sparkContext()));
      views(session, rows);
      QueriesApp app = new QueriesApp(session);
      for (Map.Entry<String, String> query : queries().entrySet()) {
        app.print(query.getKey(), session.sql(query.getValue()));
      }
      app.print(
          "hash repartition",
          session.table("facts").repartition(37, session.table("facts").col("k")));
      app.print(
          "range repartition",
          session.table("facts").repartitionByRange(11, session.table("facts").col("id")));
      app.print("round robin", session.table("facts").repartition(23));
      app.print("one partition", session.table("facts").repartition(1));
      app.print("empty", session.table("facts").where("id < 0").repartition(5));
    } finally {
      session.stop();
    }
  }

  private static void views(SparkSession session, long rows) {
    session
        .range(0, rows, 1, 6)
        .selectExpr(
            "id",
            // Half of all rows have one key: skewed.
            "case when id % 2 = 0 then 7 else id % 1000 end as k",
            "cast(id * 31 % 1009 as double) / 8 as v",
            "concat('name ', id % 97) as s",
            "case when id % 5 = 0 then null else array(id, id + 1) end as a")
        .createOrReplaceTempView("facts");
    session
        .range(0, 1000, 1, 3)
        .selectExpr("id as k", "concat('dimension ', id) as d")
        .createOrReplaceTempView("dimensions");
  }

  private static Map<String, String> queries() {
    Map<String, String> queries = new LinkedHashMap<>();
    queries.put("group", "select k, count(*) c, sum(v) s, max(s) m from facts group by k");
    queries.put("distinct", "select distinct s, k % 10 from facts");
    queries.put(
        "sort merge join",
        "select /*+ merge(d) */ f.id, f.s, d.d from facts f join dimensions d on f.k = d.k");
    queries.put(
        "join that may become a broadcast",
        "select f.id, d.d from facts f join (select k, d from dimensions where k % 100 = 7) d"
            + " on f.k = d.k");
    queries.put(
        "join of few map outputs that may become a broadcast",
        "select f.*, d.d from (select /*+ coalesce(2) */ * from facts) f"
            + " join (select k, d from dimensions where k % 100 = 7) d on f.k = d.k");
    queries.put(
        "join that may become one by hash",
        "select f.id, d.d from facts f join dimensions d on f.k = d.k");
    queries.put("rebalance", "select /*+ rebalance(k) */ * from facts");
    queries.put(
        "join with nothing",
        "select f.id, n.m from facts f"
            + " join (select k, max(id) m from facts where s = 'nobody' group by k) n"
            + " on f.k = n.k");
    queries.put(
        "aggregation of nothing",
        "select m, count(*) from (select k, max(id) m from facts where s = 'nobody' group by k)"
            + " group by m");
    queries.put("order", "select id, s from facts order by v desc, id limit 1000");
    queries.put("sort", "select id, a from facts sort by s");
    queries.put(
        "window",
        "select id, k, row_number() over (partition by k order by id) r from facts where k < 50");
    queries.put(
        "nested aggregation",
        "select c, count(*) from (select k, count(distinct s) c from facts group by k) group by c");
    queries.put(
        "wide rows", "select k, sort_array(collect_list(s)) l from facts where k <> 7 group by k");
    return queries;
  }

  private void print(String name, Dataset<Row> result) throws InterruptedException {
    List<Row> rows = result.collectAsList();
    int[] hashes = new int[rows.size()];
    for (int i = 0; i < hashes.length; i++) {
      hashes[i] = rows.get(i).toString().hashCode();
    }
    Arrays.sort(hashes);
    print(name, "rows", rows.size() + ", digest " + Integer.toHexString(Arrays.hashCode(hashes)));
    print(name, "plan", FinalPlan.of(result));
    totals.awaitAllCounted(session.sparkContext());
    TaskTotals.Taken taken = totals.take();
    print(name, "records", taken.records());
    print(name, "bytes", taken.bytes());
  }

  private static void print(String name, String kind, String text) {
    System.out.println(name + "\t" + kind + "\t" + text);
  }
}
