package io.verbena.it.matrix;

import io.verbena.apps.acceptance.Acceptance;
import io.verbena.apps.acceptance.Setting;
import io.verbena.it.cluster.AppResult;
import io.verbena.it.cluster.AppSpec;
import io.verbena.it.cluster.ClusterSpec;
import io.verbena.it.cluster.JavaHome;
import io.verbena.it.cluster.ProjectJars;
import io.verbena.it.cluster.SparkHomes;
import io.verbena.it.cluster.StandaloneCluster;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;

/** Runs the acceptance application on clusters, one after the other. */
public final class MatrixRun {
  private static final double MILLIS_PER_SECOND = 1e3;

  private static final List<Setting> ONE_OF =
      List.of(Setting.SNAPPY, Setting.ZSTD, Setting.LZF, Setting.PLAIN, Setting.JAVA);

  private final boolean brief;
  private final Set<Setting> only;
  private final Map<String, String> conf;

  /**
   * What to run.
   *
   * @param brief leaves out what takes long
   * @param only of all settings, these; empty for all; empty in the brief form
   * @param conf options of Spark for all applications
   */
  public MatrixRun(boolean brief, Set<Setting> only, Map<String, String> conf) {
    this.brief = brief;
    this.only = Set.copyOf(only);
    this.conf = Map.copyOf(conf);
  }

  /**
   * Runs everything on one version: in full with the jar loaded as users would do it there, then in
   * the other way, if there is one.
   *
   * @param done is told of each row when it is there
   */
  public List<Row> run(Target target, JavaHome java, Consumer<Row> done)
      throws InterruptedException {
    ClusterSpec spec =
        ClusterSpec.builder()
            .home(SparkHomes.provide(target.spark(), target.scala()))
            .java(java)
            .workerMemory(brief ? "2g" : "4g")
            .build();
    List<Row> rows = new ArrayList<>();
    Outcomes outcomes = new Outcomes();
    try (StandaloneCluster cluster = StandaloneCluster.start(spec)) {
      Loading main = Loading.of(target);
      rows.add(mainRow(cluster, target, main, outcomes));
      done.accept(rows.get(0));
      List<Setting> settings = brief ? List.of(Setting.BRIEF) : settings(target);
      if (main == Loading.JARS && !settings.isEmpty()) {
        outcomes.begin();
        double seconds = submit(cluster, Loading.CLASS_PATH, "512m", List.of(), settings, outcomes);
        rows.add(outcomes.end(target, Loading.CLASS_PATH, seconds));
        done.accept(rows.get(1));
      }
    }
    return rows;
  }

  private List<Setting> settings(Target target) {
    List<Setting> settings = new ArrayList<>(List.of(Setting.values()));
    settings.removeAll(List.of(Setting.BRIEF, Setting.LARGE));
    if (brief) {
      // Each on some version: what differs there is Spark's code.
      settings.removeAll(ONE_OF);
      settings.add(1, ONE_OF.get(Target.ALL.indexOf(target) % ONE_OF.size()));
    }
    settings.removeIf(setting -> !wanted(setting));
    return settings;
  }

  private boolean wanted(Setting setting) {
    return only.isEmpty() || only.contains(setting);
  }

  private Row mainRow(StandaloneCluster cluster, Target target, Loading main, Outcomes outcomes)
      throws InterruptedException {
    outcomes.begin();
    double seconds = 0;
    List<Setting> settings = settings(target);
    if (!settings.isEmpty()) {
      seconds += submit(cluster, main, "512m", List.of(Setting.KRYO), settings, outcomes);
    }
    if (!brief && wanted(Setting.LARGE)) {
      List<Setting> large = List.of(Setting.LARGE);
      seconds += submit(cluster, main, "3g", large, large, outcomes);
    }
    return outcomes.end(target, main, seconds);
  }

  private double submit(
      StandaloneCluster cluster,
      Loading loading,
      String executorMemory,
      List<Setting> own,
      List<Setting> onVerbena,
      Outcomes outcomes)
      throws InterruptedException {
    AppSpec.Builder app =
        AppSpec.builder(ProjectJars.applications(), Acceptance.class.getName())
            .executorMemory(executorMemory)
            .driverMemory("768m")
            .conf(conf)
            .limit(brief ? Duration.ofMinutes(15) : Duration.ofMinutes(60));
    if (brief) {
      app.quickStart().conf("spark.sql.codegen.wholeStage", "false");
    }
    loading.apply(app);
    own.forEach(setting -> app.args(Outcomes.SPARKS_OWN + ":" + setting));
    onVerbena.forEach(setting -> app.args(AppSpec.VERBENA_MANAGER + ":" + setting));
    AppResult result = cluster.submit(app.build());
    outcomes.judge(result, own, onVerbena);
    return result.wall().toMillis() / MILLIS_PER_SECOND;
  }
}
