package io.verbena.it;

import static io.verbena.it.Submitted.app;
import static io.verbena.it.Submitted.report;
import static org.assertj.core.api.Assertions.assertThat;

import io.verbena.it.cluster.AppHandle;
import io.verbena.it.cluster.AppResult;
import io.verbena.it.cluster.ExecutorProcess;
import io.verbena.it.cluster.StandaloneCluster;
import io.verbena.it.jobs.GatedJob;
import io.verbena.it.jobs.Gates;
import io.verbena.it.jobs.Job;
import io.verbena.it.jobs.Outcome;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** Executors that are killed with SIGKILL at chosen moments of a job. */
@ExtendWith(SharedCluster.class)
final class KilledExecutorIT {
  private static final Duration LIMIT = Duration.ofMinutes(3);
  private static final Job.Load LOAD = new Job.Load(40_000, 1_000, 2, 2);
  private static final Outcome RIGHT = Job.PARTITION_BY.expected(LOAD);

  @TempDir Path folder;

  @Test
  void resultIsRightWhateverStageAnExecutorDiesInAndNothingOfItIsLeft(StandaloneCluster cluster)
      throws Exception {
    Gates gates = new Gates(folder);
    Set<String> killed = new HashSet<>();
    try (AppHandle app =
        cluster.submitAsync(
            app(GatedJob.class)
                .onVerbena()
                .conf("spark.shuffle.rdma.pool.regionSize", "16m")
                .args(folder.toString(), LOAD.toString(), "3")
                .build())) {
      String appId = app.awaitAppId(LIMIT);

      // In the middle of the map stage.
      gates.open("0-between", "0-reduce-0", "0-reduce-1", "0-reducing-0", "0-reducing-1");
      String victim = gates.awaitSomebodyAt("0-map-0");
      gates.awaitSomebodyAt("0-map-1");
      killed.add(kill(cluster, appId, victim));
      gates.open("0-map-0", "0-map-1");

      // Between the stages.
      gates.open("1-map-0", "1-map-1");
      gates.open("1-reduce-0", "1-reduce-1", "1-reducing-0", "1-reducing-1");
      gates.awaitSomebodyAt("1-between");
      victim = cluster.awaitExecutors(appId, 2, LIMIT).get(0).executorId();
      killed.add(kill(cluster, appId, victim));
      gates.open("1-between");

      // In the middle of the reduce stage: both tasks have read some of their records.
      gates.open("2-map-0", "2-map-1", "2-between", "2-reduce-0", "2-reduce-1");
      victim = gates.awaitSomebodyAt("2-reducing-0");
      gates.awaitSomebodyAt("2-reducing-1");
      killed.add(kill(cluster, appId, victim));
      gates.open("2-reducing-0", "2-reducing-1");

      AppResult result = app.waitFor(LIMIT).orThrow();
      assertThat(result.stdout().lines())
          .containsExactly(RIGHT.toString(), RIGHT.toString(), RIGHT.toString());
      assertThat(report(result).executors())
          .filteredOn(executor -> !killed.contains(executor.executor()))
          .isNotEmpty()
          .allSatisfy(executor -> assertThat(executor.poolBytes()).isZero());
      cluster.awaitExecutorsGone(appId, LIMIT);
      // The last one killed may have been replaced or not before the job ended.
      assertThat(cluster.executorsEver(appId)).hasSizeBetween(4, 5);
      assertThat(PoolFiles.folders(PoolFiles.SHM, appId)).isEmpty();
      PoolFiles.awaitNoneOfOurs(cluster.workerLocalDir(0), LIMIT);
      PoolFiles.awaitNoneOfOurs(cluster.workerLocalDir(1), LIMIT);
    }
  }

  private static String kill(StandaloneCluster cluster, String appId, String executorId)
      throws InterruptedException {
    ExecutorProcess victim =
        cluster.executors(appId).stream()
            .filter(each -> each.executorId().equals(executorId))
            .findFirst()
            .orElseThrow();
    assertThat(PoolFiles.folders(PoolFiles.SHM, appId + "-" + executorId)).hasSize(1);
    cluster.kill(victim);
    return executorId;
  }
}
