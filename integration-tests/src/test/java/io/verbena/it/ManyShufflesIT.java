package io.verbena.it;

import static io.verbena.it.Submitted.app;
import static org.assertj.core.api.Assertions.assertThat;

import io.verbena.it.cluster.AppResult;
import io.verbena.it.cluster.StandaloneCluster;
import io.verbena.it.jobs.Footprint;
import io.verbena.it.jobs.Job;
import io.verbena.it.jobs.ManyShuffles;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** What many shuffles in one application leave behind in its processes: nothing. */
@ExtendWith(SharedCluster.class)
final class ManyShufflesIT {
  private static final Job.Load LOAD = new Job.Load(2_000, 100, 4, 4);

  /** Spark's own pools of threads and connections breathe; a leak has one for each shuffle. */
  private static final int BREATH = 12;

  /** What Spark's own classes may have come to keep. */
  private static final long SPARKS_HEAP = 4L << 20;

  /** For each further shuffle: less than the least that keeps a table or a connection. */
  private static final long HEAP_GROWTH = 20L << 10;

  @Test
  void memoryThreadsAndFileHandlesEndWhereTheyStarted(StandaloneCluster cluster) throws Exception {
    assertNothingIsLeft(cluster, 50, 50);
  }

  @Test
  @OnDemand
  void fiveHundredShufflesLeaveNothingEither(StandaloneCluster cluster) throws Exception {
    assertNothingIsLeft(cluster, 100, 400);
  }

  private static void assertNothingIsLeft(StandaloneCluster cluster, int warmUp, int further)
      throws Exception {
    AppResult result =
        cluster.submit(
            app(ManyShuffles.class)
                .onVerbena()
                .conf("spark.shuffle.rdma.pool.regionSize", "16m")
                .args(LOAD.toString(), "2", Integer.toString(warmUp), Integer.toString(further))
                .build());
    List<Footprint> seen = result.orThrow().stdout().lines().map(Footprint::parse).toList();
    assertThat(seen)
        .extracting(Footprint::process)
        .containsExactly("0", "1", "driver", "0", "1", "driver");
    for (int i = 0; i < 3; i++) {
      assertSame(seen.get(i), seen.get(i + 3), further);
    }
  }

  private static void assertSame(Footprint warm, Footprint end, int shuffles) {
    String what = "at the end: " + end + ", warm: " + warm;
    assertThat(end.pool()).as("pool, %s", what).isZero();
    assertThat(end.disk()).as("run files, %s", what).isZero();
    assertThat(end.received()).as("receive buffers, %s", what).isZero();
    assertThat(end.queuePairs()).as("queue pairs, %s", what).isEqualTo(warm.queuePairs());
    assertThat(end.threads()).as("threads, %s", what).isLessThan(warm.threads() + BREATH);
    assertThat(end.handles()).as("file handles, %s", what).isLessThan(warm.handles() + BREATH);
    assertThat(end.heap())
        .as("heap, %s", what)
        .isLessThan(warm.heap() + SPARKS_HEAP + shuffles * HEAP_GROWTH);
  }
}
