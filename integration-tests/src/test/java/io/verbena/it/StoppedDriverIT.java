package io.verbena.it;

import static io.verbena.it.Submitted.app;
import static org.assertj.core.api.Assertions.assertThat;

import io.verbena.it.cluster.AppHandle;
import io.verbena.it.cluster.AppSpec;
import io.verbena.it.cluster.StandaloneCluster;
import io.verbena.it.jobs.GatedJob;
import io.verbena.it.jobs.Gates;
import io.verbena.it.jobs.Job;
import io.verbena.it.jobs.StoppedJob;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** Drivers that end while tasks run: executors end, too, and leave nothing. */
@ExtendWith(SharedCluster.class)
final class StoppedDriverIT {
  private static final Duration LIMIT = Duration.ofMinutes(3);
  private static final Job.Load LOAD = new Job.Load(40_000, 1_000, 2, 2);

  @TempDir Path folder;

  private AppSpec.Builder job(Class<?> main) {
    return app(main)
        .onVerbena()
        .conf("spark.shuffle.rdma.pool.regionSize", "16m")
        .args(folder.toString(), LOAD.toString());
  }

  @Test
  void nothingIsLeftWhenTheContextIsStoppedWhileTasksRead(StandaloneCluster cluster)
      throws Exception {
    Gates gates = new Gates(folder);
    try (AppHandle app = cluster.submitAsync(job(StoppedJob.class).build())) {
      String appId = app.awaitAppId(LIMIT);
      gates.open("0-map-0", "0-map-1", "0-between", "0-reduce-0", "0-reduce-1");
      gates.awaitSomebodyAt("0-reducing-0");
      gates.awaitSomebodyAt("0-reducing-1");
      assertPoolsOfTwo(cluster, appId);

      gates.open("stop");

      assertThat(app.waitFor(LIMIT).orThrow().stdout())
          .contains("SparkContext was shut down")
          .doesNotContain("count=");
      assertNothingLeft(cluster, appId);
    }
  }

  @Test
  void nothingIsLeftWhenTheDriverIsKilledWhileTasksWrite(StandaloneCluster cluster)
      throws Exception {
    Gates gates = new Gates(folder);
    try (AppHandle app = cluster.submitAsync(job(GatedJob.class).args("2").build())) {
      String appId = app.awaitAppId(LIMIT);
      gates.open("0-map-0", "0-map-1", "0-between", "0-reduce-0", "0-reduce-1");
      gates.open("0-reducing-0", "0-reducing-1");
      gates.awaitSomebodyAt("1-map-0");
      gates.awaitSomebodyAt("1-map-1");
      assertPoolsOfTwo(cluster, appId);

      app.kill();

      assertNothingLeft(cluster, appId);
    }
  }

  /** That something is there, and that both executors were seen, to wait for their end. */
  private static void assertPoolsOfTwo(StandaloneCluster cluster, String appId)
      throws InterruptedException {
    cluster.awaitExecutors(appId, 2, LIMIT);
    assertThat(PoolFiles.folders(PoolFiles.SHM, appId)).hasSize(2);
  }

  private static void assertNothingLeft(StandaloneCluster cluster, String appId)
      throws InterruptedException {
    cluster.awaitExecutorsGone(appId, LIMIT);
    assertThat(PoolFiles.folders(PoolFiles.SHM, appId)).isEmpty();
    PoolFiles.awaitNoneOfOurs(cluster.workerLocalDir(0), LIMIT);
    PoolFiles.awaitNoneOfOurs(cluster.workerLocalDir(1), LIMIT);
  }
}
