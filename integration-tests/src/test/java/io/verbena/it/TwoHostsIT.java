package io.verbena.it;

import static io.verbena.it.Submitted.app;
import static io.verbena.it.Submitted.report;
import static org.assertj.core.api.Assertions.assertThat;

import io.verbena.it.cluster.AppHandle;
import io.verbena.it.cluster.AppResult;
import io.verbena.it.cluster.ClusterSpec;
import io.verbena.it.cluster.ExecutorProcess;
import io.verbena.it.cluster.StandaloneCluster;
import io.verbena.it.jobs.AttemptsJob;
import io.verbena.it.jobs.GatedJob;
import io.verbena.it.jobs.Gates;
import io.verbena.it.jobs.Job;
import io.verbena.it.jobs.Outcome;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Three executors on two hosts, as Spark sees it: one alone, two together. Speculative copies run
 * on another host only.
 */
final class TwoHostsIT {
  private static final Duration LIMIT = Duration.ofMinutes(3);

  private static StandaloneCluster cluster;

  @TempDir Path folder;

  @BeforeAll
  static void start() throws InterruptedException {
    cluster =
        StandaloneCluster.start(
            ClusterSpec.builder()
                .workers(3)
                .workerHost(1, "127.0.0.2")
                .workerHost(2, "127.0.0.2")
                .build());
  }

  @AfterAll
  static void stop() {
    cluster.close();
  }

  @Test
  void outputsOfAttemptsThatNobodyWantsAreNotReadAndKilledTasksHoldNothing() throws Exception {
    Job.Load load = new Job.Load(40_000, 1_000, 2, 2);
    Outcome right = Job.PARTITION_BY.expected(load);
    Gates gates = new Gates(folder);
    gates.open("speculative-reduce-0", "speculative-reduce-1");
    gates.open("speculative-reducing-0", "speculative-reducing-1");
    gates.open("zombie-reducing-0", "zombie-reducing-1");
    try (AppHandle app =
        cluster.submitAsync(
            app(AttemptsJob.class)
                .onVerbena()
                .conf("spark.shuffle.rdma.pool.regionSize", "16m")
                .conf("spark.shuffle.rdma.chunkSize", "64k")
                .conf("spark.speculation", "true")
                .args(folder.toString(), load.toString(), "3")
                .build())) {
      // The map stage has ended, and one of its tasks runs on.
      gates.awaitSomebodyAt("between");
      gates.awaitSomebodyAt("loser");
      gates.open("loser");
      gates.awaitOpen("loser-ended");
      gates.open("between");

      // Both readers know where the output of the second attempt is.
      gates.awaitSomebodyAt("zombie-reduce-0");
      gates.awaitSomebodyAt("zombie-reduce-1");
      gates.open("zombie");
      gates.awaitOpen("zombie-ended");
      gates.open("zombie-reduce-0", "zombie-reduce-1");

      gates.awaitSomebodyAt("doomed-0");
      gates.awaitSomebodyAt("doomed-1");
      gates.open("kill");

      assertThat(app.waitFor(LIMIT).orThrow().stdout().lines())
          .containsExactly(
              "speculative: " + right + " runs=3",
              "zombie: " + right,
              "killed: all is free",
              "left: pool=0 received=0");
    }
  }

  @Test
  void resultIsRightWhenAllExecutorsOfAHostAreKilledWhileTasksRead() throws Exception {
    Job.Load load = new Job.Load(40_000, 1_000, 3, 3);
    Gates gates = new Gates(folder);
    try (AppHandle app =
        cluster.submitAsync(
            app(GatedJob.class)
                .onVerbena()
                .conf("spark.shuffle.rdma.pool.regionSize", "16m")
                .args(folder.toString(), load.toString(), "1")
                .build())) {
      String appId = app.awaitAppId(LIMIT);
      gates.open("0-map-0", "0-map-1", "0-map-2", "0-between");
      gates.open("0-reduce-0", "0-reduce-1", "0-reduce-2");
      for (int partition = 0; partition < load.reduces(); partition++) {
        gates.awaitSomebodyAt("0-reducing-" + partition);
      }
      List<ExecutorProcess> before = cluster.awaitExecutors(appId, 3, LIMIT);
      assertThat(PoolFiles.folders(PoolFiles.SHM, appId)).hasSize(3);
      for (ExecutorProcess executor : before) {
        if (executor.worker() != 0) {
          cluster.kill(executor);
        }
      }
      gates.open("0-reducing-0", "0-reducing-1", "0-reducing-2");

      AppResult result = app.waitFor(LIMIT).orThrow();
      assertThat(result.stdout().strip()).isEqualTo(Job.PARTITION_BY.expected(load).toString());
      assertThat(report(result).executors())
          .filteredOn(each -> !each.host().equals("127.0.0.2"))
          .singleElement()
          .satisfies(executor -> assertThat(executor.poolBytes()).isZero());
      cluster.awaitExecutorsGone(appId, LIMIT);
      assertThat(PoolFiles.folders(PoolFiles.SHM, appId)).isEmpty();
      for (int worker = 0; worker < cluster.spec().workers(); worker++) {
        PoolFiles.awaitNoneOfOurs(cluster.workerLocalDir(worker), LIMIT);
      }
    }
  }
}
