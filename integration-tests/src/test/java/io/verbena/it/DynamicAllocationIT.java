package io.verbena.it;

import static io.verbena.it.Submitted.app;
import static io.verbena.it.Submitted.readBytes;
import static io.verbena.it.Submitted.report;
import static org.assertj.core.api.Assertions.assertThat;

import io.verbena.it.cluster.AppHandle;
import io.verbena.it.cluster.AppResult;
import io.verbena.it.cluster.ExecutorProcess;
import io.verbena.it.cluster.StandaloneCluster;
import io.verbena.it.jobs.DynamicAllocationJob;
import io.verbena.it.jobs.Gates;
import io.verbena.it.jobs.Job;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** Dynamic allocation with shuffle tracking. */
@ExtendWith(SharedCluster.class)
final class DynamicAllocationIT {
  private static final Duration LIMIT = Duration.ofMinutes(3);
  private static final Job.Load LOAD = new Job.Load(40_000, 1_000, 1, 2);

  @TempDir Path folder;

  @Test
  void idleExecutorsStayAsLongAsTheyHoldMapOutputsAndOthersGo(StandaloneCluster cluster)
      throws Exception {
    Gates gates = new Gates(folder);
    try (AppHandle app =
        cluster.submitAsync(
            app(DynamicAllocationJob.class)
                .onVerbena()
                .conf("spark.shuffle.rdma.pool.regionSize", "16m")
                .conf("spark.executor.cores", "1")
                // The first one to come may be idle for too long before the second has.
                .conf("spark.scheduler.minRegisteredResourcesRatio", "0")
                .conf("spark.dynamicAllocation.enabled", "true")
                .conf("spark.dynamicAllocation.shuffleTracking.enabled", "true")
                .conf("spark.dynamicAllocation.initialExecutors", "2")
                .conf("spark.dynamicAllocation.maxExecutors", "2")
                .conf("spark.dynamicAllocation.executorIdleTimeout", "2s")
                .args(folder.toString(), LOAD.toString())
                .build())) {
      String appId = app.awaitAppId(LIMIT);
      String idle = gates.awaitSomebodyAt("held");
      String holder = gates.awaitSomebodyAt("map");
      assertThat(holder).isNotEqualTo(idle);
      List<ExecutorProcess> both = cluster.awaitExecutors(appId, 2, LIMIT);
      ExecutorProcess leaving = both.get(both.get(0).executorId().equals(idle) ? 0 : 1);

      // The holder of the map output becomes idle first, and would have to go first.
      gates.open("map");
      gates.awaitSomebodyAt("read");
      gates.open("held");
      cluster.awaitGone(leaving, LIMIT);
      assertThat(cluster.executors(appId))
          .singleElement()
          .satisfies(executor -> assertThat(executor.executorId()).isEqualTo(holder));
      assertThat(PoolFiles.folders(PoolFiles.SHM, appId)).hasSize(1);

      // One that came later reads what lies with the one that stayed.
      gates.open("read");
      Set<String> readers =
          Set.of(gates.awaitSomebodyAt("reduce-0"), gates.awaitSomebodyAt("reduce-1"));
      assertThat(readers).hasSize(2).contains(holder).doesNotContain(idle);
      gates.open("reduce-0", "reduce-1", "reducing-0", "reducing-1");

      gates.awaitSomebodyAt("remove");
      gates.open("remove");
      cluster.awaitExecutorsGone(appId, LIMIT);
      assertThat(PoolFiles.folders(PoolFiles.SHM, appId)).isEmpty();
      gates.awaitSomebodyAt("end");
      gates.open("end");

      AppResult result = app.waitFor(LIMIT).orThrow();
      assertThat(result.stdout().strip()).isEqualTo(Job.PARTITION_BY.expected(LOAD) + " maps=1");
      assertThat(readBytes(report(result), "shm")).isPositive();
      PoolFiles.awaitNoneOfOurs(cluster.workerLocalDir(0), LIMIT);
      PoolFiles.awaitNoneOfOurs(cluster.workerLocalDir(1), LIMIT);
    }
  }
}
