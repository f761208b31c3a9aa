package io.verbena.it.tpch;

import io.verbena.apps.tpch.QueryResult;
import io.verbena.apps.tpch.Tpch;
import io.verbena.it.cluster.AppResult;
import io.verbena.it.cluster.AppSpec;
import io.verbena.it.cluster.ClusterException;
import io.verbena.it.cluster.ProjectJars;
import io.verbena.it.cluster.StandaloneCluster;
import io.verbena.it.demo.ShuffleReport;
import io.verbena.it.matrix.Loading;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** Submits the application to one cluster. */
public final class TpchRun {
  private static final Duration LIMIT = Duration.ofHours(3);

  private final StandaloneCluster cluster;
  private final Loading loading;
  private final double scale;
  private final String memory;
  private final Map<String, String> conf;
  private boolean quickStart;

  /**
   * What all applications of this run share.
   *
   * @param loading how Verbena's jar gets to executors
   * @param scale TPC-H's scale factor
   * @param memory heap of an executor that runs queries
   * @param conf options of Spark for the queries
   */
  public TpchRun(
      StandaloneCluster cluster,
      Loading loading,
      double scale,
      String memory,
      Map<String, String> conf) {
    this.cluster = cluster;
    this.loading = loading;
    this.scale = scale;
    this.memory = memory;
    this.conf = Map.copyOf(conf);
  }

  /**
   * Runs all on JVMs that start with little effort and run slow code: for tests of small tables,
   * never for times.
   */
  public TpchRun quickStart() {
    quickStart = true;
    return this;
  }

  /** Where tables of a scale are kept between runs, in this module's {@code target}. */
  public static Path folder(double scale) {
    return TpchTables.folder(ProjectJars.module().resolve("target/tpch"), scale);
  }

  /** Makes the tables unless they are there. */
  public Path provideTables() throws InterruptedException {
    TpchTables.provide(cluster, folder(scale), scale);
    return folder(scale);
  }

  /**
   * Results of one application.
   *
   * @param queries by query and whether it was adaptive, in the order in which they ran
   * @param report what Verbena reported; null of Spark's own shuffle
   */
  public record Results(Map<Run, QueryResult> queries, ShuffleReport report) {}

  /** What a result is of. */
  public record Run(String query, boolean adaptive) {}

  /** Runs queries on Spark's own shuffle. */
  public Results onSpark(List<Integer> queries) throws InterruptedException {
    return run(app("sort"), queries, false);
  }

  /** Runs queries on Verbena. */
  public Results onVerbena(List<Integer> queries) throws InterruptedException {
    AppSpec.Builder app = app(AppSpec.VERBENA_MANAGER);
    loading.apply(app);
    return run(app, queries, true);
  }

  private AppSpec.Builder app(String manager) {
    AppSpec.Builder app =
        AppSpec.builder(ProjectJars.applications(), Tpch.class.getName())
            .executorMemory(memory)
            .limit(LIMIT)
            .conf(conf)
            .conf("spark.shuffle.manager", manager)
            .args("--data", folder(scale).toString(), "--scale", Double.toString(scale));
    return quickStart ? app.quickStart() : app;
  }

  private Results run(AppSpec.Builder app, List<Integer> queries, boolean reported)
      throws InterruptedException {
    app.args("--adaptive", "on,off");
    if (!queries.isEmpty()) {
      app.args("--queries", queries.stream().map(String::valueOf).collect(Collectors.joining(",")));
    }
    AppResult result = cluster.submit(app.build());
    Map<Run, QueryResult> results = new LinkedHashMap<>();
    result
        .stdout()
        .lines()
        .map(QueryResult::parse)
        .forEach(each -> results.put(new Run(each.query(), each.adaptive()), each));
    if (results.isEmpty()) {
      result.orThrow();
      throw new ClusterException("the application has printed nothing; its log is " + result.log());
    }
    return new Results(results, reported ? report(result) : null);
  }

  private static ShuffleReport report(AppResult result) {
    return ShuffleReport.lastIn(result.log())
        .orElseThrow(
            () ->
                new ClusterException(
                    "the driver has logged no shuffle report: was the shuffle Verbena's?"));
  }
}
