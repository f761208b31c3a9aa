package io.verbena.it.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class StandaloneClusterIT {
  private static final Duration LIMIT = Duration.ofMinutes(3);
  private static final String SUM_OF_100000 = "groups=10 total=4999950000";

  private static StandaloneCluster cluster;

  @BeforeAll
  static void start() throws InterruptedException {
    cluster = StandaloneCluster.start(ClusterSpec.builder().build());
  }

  @AfterAll
  static void stop() {
    cluster.close();
  }

  private static AppSpec.Builder grouping(String... args) {
    return AppSpec.builder(ProjectJars.testApplications(), GroupingApp.class.getName())
        .addJar(ProjectJars.applications())
        .conf("spark.shuffle.manager", "sort")
        .quickStart()
        .driverMemory("512m")
        .executorMemory("512m")
        .args(args);
  }

  @Test
  void applicationRunsOnAnExecutorPerWorkerAndItsOutputIsReturned() throws Exception {
    AppResult result = cluster.submit(grouping("100000").build()).orThrow();
    assertThat(result.stdout()).startsWith(SUM_OF_100000);
    assertThat(result.log()).contains("Connected to Spark cluster with app ID");
    assertThat(result.stderr()).doesNotContain("INFO");
  }

  @Test
  void exitCodeAndStandardErrorOfAFailingApplicationAreReturned() throws Exception {
    AppResult result = cluster.submit(grouping("-1").build());
    assertThat(result.exitCode()).isEqualTo(3);
    assertThat(result.stderr()).contains("cannot sum fewer than 0 numbers: -1");
    assertThatThrownBy(result::orThrow)
        .isInstanceOf(ClusterException.class)
        .hasMessageContaining("exit code 3")
        .hasMessageContaining("cannot sum fewer than 0 numbers: -1");
  }

  @Test
  void killedExecutorIsReplacedAndTheResultIsRight(@TempDir Path folder) throws Exception {
    Path gate = folder.resolve("gate");
    try (AppHandle app = cluster.submitAsync(grouping("100000", gate.toString()).build())) {
      String id = app.awaitAppId(LIMIT);
      List<ExecutorProcess> executors = cluster.awaitExecutors(id, 2, LIMIT);
      assertThat(executors).extracting(ExecutorProcess::worker).containsExactlyInAnyOrder(0, 1);
      Path reducing = Path.of(gate + ".waiting-" + executors.get(0).executorId());
      Await.until("a reduce task on executor 0", LIMIT, () -> Files.exists(reducing));
      cluster.kill(executors.get(0));
      assertThat(ProcScan.gone(executors.get(0).pid())).isTrue();
      // Or the job might end before the master has put another one in its place.
      cluster.awaitExecutors(id, 2, LIMIT);
      Files.writeString(gate, "");
      AppResult result = app.waitFor(LIMIT).orThrow();
      assertThat(result.stdout()).startsWith(SUM_OF_100000);
      cluster.awaitExecutorsGone(id, LIMIT);
      assertThat(cluster.executorsEver(id)).hasSize(3);
      assertThat(cluster.executorsEver(id).get(0).log()).contains("Running task");
    }
  }

  @Test
  void applicationThatExceedsItsLimitIsEnded(@TempDir Path folder) throws Exception {
    AppSpec endless =
        grouping("10", folder.resolve("gate").toString()).limit(Duration.ofMillis(1)).build();
    assertThatThrownBy(() -> cluster.submit(endless))
        .isInstanceOf(ClusterException.class)
        .hasMessageContaining("application still runs after");
    awaitProcesses(cluster, 3);
  }

  @Test
  void closeEndsRunningApplicationsAndOrphanedExecutorsAndRemovesTheFolder(@TempDir Path folder)
      throws Exception {
    StandaloneCluster mine = StandaloneCluster.start(ClusterSpec.builder().build());
    List<ExecutorProcess> executors;
    try (mine) {
      AppHandle app = mine.submitAsync(grouping("100", folder.resolve("gate").toString()).build());
      executors = mine.awaitExecutors(app.awaitAppId(LIMIT), 2, LIMIT);
      awaitProcesses(mine, 6);
      ProcessHandle.of(mine.workerPids().get(0)).orElseThrow().destroyForcibly();
    }
    assertThat(mine.livingPids()).isEmpty();
    assertThat(mine.folder()).doesNotExist();
    assertThat(executors).allMatch(executor -> ProcScan.gone(executor.pid()));
    assertThatThrownBy(() -> mine.submitAsync(grouping("1").build()))
        .hasMessage("the cluster is closed");
  }

  @Test
  void workerThatCannotStartIsNamedAndNothingIsLeft() throws Exception {
    ClusterSpec spec = ClusterSpec.builder().workerPrefix(1, List.of("false")).build();
    long before = clusterFolders();
    assertThatThrownBy(() -> StandaloneCluster.start(spec))
        .isInstanceOf(ClusterException.class)
        .hasMessageContaining("worker 1 ended early with exit code 1");
    assertThat(clusterFolders()).isEqualTo(before);
  }

  @Test
  void executorsOfAPrefixedWorkerHaveTheirOwnDevShm() throws Exception {
    assumeThat(Namespaces.available()).as("may mount in an own namespace").isTrue();
    ClusterSpec spec =
        ClusterSpec.builder().workerPrefix(1, Namespaces.privateDevShm("1m")).build();
    try (StandaloneCluster mine = StandaloneCluster.start(spec)) {
      try (AppHandle app = mine.submitAsync(grouping("10").build())) {
        String id = app.awaitAppId(LIMIT);
        ExecutorProcess small =
            mine.awaitExecutors(id, 2, LIMIT).stream()
                .filter(executor -> executor.worker() == 1)
                .findFirst()
                .orElseThrow();
        assertThat(app.waitFor(LIMIT).orThrow().stdout())
            .containsOnlyOnce(small.executorId() + ":1048576");
      }
    }
  }

  /** Executors end after their driver, and those that start run small programs for a moment. */
  private static void awaitProcesses(StandaloneCluster cluster, int count)
      throws InterruptedException {
    Await.until(
        count + " processes of the cluster", LIMIT, () -> cluster.livingPids().size() == count);
  }

  private static long clusterFolders() throws IOException {
    try (var files = Files.list(Path.of(System.getProperty("java.io.tmpdir")))) {
      return files
          .filter(file -> file.getFileName().toString().startsWith(ClusterFiles.PREFIX))
          .count();
    }
  }
}
