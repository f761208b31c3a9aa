package io.verbena.it;

import static io.verbena.it.Submitted.app;
import static io.verbena.it.Submitted.report;
import static org.assertj.core.api.Assertions.assertThat;

import io.verbena.it.cluster.AppHandle;
import io.verbena.it.cluster.AppResult;
import io.verbena.it.cluster.AppSpec;
import io.verbena.it.cluster.ExecutorProcess;
import io.verbena.it.cluster.StandaloneCluster;
import io.verbena.it.demo.ShuffleReport;
import io.verbena.it.jobs.DecommissionJob;
import io.verbena.it.jobs.Gates;
import io.verbena.it.jobs.Job;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** Executors that are decommissioned: their map outputs move, and no map task runs twice. */
@ExtendWith(SharedCluster.class)
final class DecommissionIT {
  private static final Duration LIMIT = Duration.ofMinutes(3);
  private static final Job.Load LOAD = new Job.Load(40_000, 1_000, 2, 2);
  private static final String RIGHT =
      Job.PARTITION_BY.expected(LOAD) + " maps=[0, 1] moved=[data, index]";

  @TempDir Path folder;

  private AppSpec.Builder job(int rounds) {
    return app(DecommissionJob.class)
        .onVerbena()
        .conf("spark.decommission.enabled", "true")
        .conf("spark.storage.decommission.enabled", "true")
        .conf("spark.storage.decommission.shuffleBlocks.enabled", "true")
        // How often Spark looks whether anything is left to migrate.
        .conf("spark.storage.decommission.replicationReattemptInterval", "1s")
        .args(folder.toString(), LOAD.toString(), Integer.toString(rounds));
  }

  @Test
  void mapOutputsMoveBetweenStagesAndUnderReadersThatKnowTheOldPlace(StandaloneCluster cluster)
      throws Exception {
    Gates gates = new Gates(folder);
    try (AppHandle app =
        cluster.submitAsync(job(2).conf("spark.shuffle.rdma.pool.regionSize", "16m").build())) {
      String appId = app.awaitAppId(LIMIT);

      // Nobody reads meanwhile; all executors have read before.
      String first = mapsOnBoth(gates, "0-");
      gates.awaitSomebodyAt("0-between");
      awaitGone(cluster, decommission(cluster, appId, first));
      gates.open("0-between", "0-reduce-0", "0-reduce-1", "0-reducing-0", "0-reducing-1");

      // A reader was told the old place and begins when nobody is there any more.
      String second = mapsOnBoth(gates, "1-");
      gates.open("1-between");
      String reader = gates.awaitSomebodyAt("1-reduce-0");
      String other = gates.awaitSomebodyAt("1-reduce-1");
      assertThat(Set.of(reader, other)).hasSize(2).contains(second);
      ExecutorProcess leaving = decommission(cluster, appId, second);
      gates.open(
          "1-reducing-0", "1-reducing-1", reader.equals(second) ? "1-reduce-0" : "1-reduce-1");
      awaitGone(cluster, leaving);
      gates.open("1-reduce-0", "1-reduce-1");

      AppResult result = app.waitFor(LIMIT).orThrow();
      assertThat(result.stdout().lines()).containsExactly(RIGHT, RIGHT);
      assertNothingLeft(cluster, appId, result, Set.of(first, second));
    }
  }

  @Test
  void encryptedMapOutputsMoveToDiskWhereThePoolIsFull(StandaloneCluster cluster) throws Exception {
    Gates gates = new Gates(folder);
    try (AppHandle app =
        cluster.submitAsync(
            job(1)
                .conf("spark.io.encryption.enabled", "true")
                .conf("spark.shuffle.rdma.pool.limit", "1m")
                .conf("spark.shuffle.rdma.pool.regionSize", "1m")
                .conf("spark.shuffle.rdma.chunkSize", "64k")
                .build())) {
      String appId = app.awaitAppId(LIMIT);
      String leaving = mapsOnBoth(gates, "0-");
      gates.awaitSomebodyAt("0-between");
      awaitGone(cluster, decommission(cluster, appId, leaving));
      gates.open("0-between", "0-reduce-0", "0-reduce-1", "0-reducing-0", "0-reducing-1");

      AppResult result = app.waitFor(LIMIT).orThrow();
      assertThat(result.stdout().lines()).containsExactly(RIGHT);
      assertThat(report(result).executors())
          .filteredOn(executor -> !executor.executor().equals(leaving) && executor.runsOnDisk() > 0)
          .as("one run of its own, and one that came")
          .singleElement()
          .satisfies(executor -> assertThat(executor.runsOnDisk()).isEqualTo(2));
      assertNothingLeft(cluster, appId, result, Set.of(leaving));
    }
  }

  /** Lets each executor run one of two map tasks, and gives the one that ran the first. */
  private static String mapsOnBoth(Gates gates, String prefix)
      throws IOException, InterruptedException {
    String first = gates.awaitSomebodyAt(prefix + "map-0");
    assertThat(gates.awaitSomebodyAt(prefix + "map-1")).isNotEqualTo(first);
    gates.open(prefix + "map-0", prefix + "map-1");
    return first;
  }

  /** Tells an executor to leave; it does so when its map outputs have moved. */
  private static ExecutorProcess decommission(
      StandaloneCluster cluster, String appId, String executorId) throws InterruptedException {
    assertThat(PoolFiles.folders(PoolFiles.SHM, appId + "-" + executorId)).hasSize(1);
    ExecutorProcess leaving = executor(cluster, appId, executorId);
    cluster.decommission(leaving);
    return leaving;
  }

  private static ExecutorProcess executor(
      StandaloneCluster cluster, String appId, String executorId) {
    return cluster.executors(appId).stream()
        .filter(each -> each.executorId().equals(executorId))
        .findFirst()
        .orElseThrow();
  }

  private static void awaitGone(StandaloneCluster cluster, ExecutorProcess leaving)
      throws InterruptedException {
    cluster.awaitGone(leaving, LIMIT);
    assertThat(PoolFiles.folders(PoolFiles.SHM, leaving.appId() + "-" + leaving.executorId()))
        .isEmpty();
  }

  private static void assertNothingLeft(
      StandaloneCluster cluster, String appId, AppResult result, Set<String> left)
      throws InterruptedException {
    ShuffleReport report = report(result);
    assertThat(report.executors())
        .filteredOn(executor -> !left.contains(executor.executor()))
        .isNotEmpty()
        .allSatisfy(executor -> assertThat(executor.poolBytes()).isZero());
    cluster.awaitExecutorsGone(appId, LIMIT);
    assertThat(PoolFiles.folders(PoolFiles.SHM, appId)).isEmpty();
    PoolFiles.awaitNoneOfOurs(cluster.workerLocalDir(0), LIMIT);
    PoolFiles.awaitNoneOfOurs(cluster.workerLocalDir(1), LIMIT);
  }
}
