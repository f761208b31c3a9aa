package io.verbena.it.tpch;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbena.it.cluster.ClusterSpec;
import io.verbena.it.cluster.SparkHome;
import io.verbena.it.cluster.StandaloneCluster;
import io.verbena.it.matrix.Loading;
import io.verbena.it.matrix.Target;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/**
 * All queries of TPC-H at scale 0.1, with adaptive execution and without. As {@code bin/tpch} runs
 * them, but with fewer partitions: with Spark's 200, most of the time would go into starting tasks.
 */
final class TpchIT {
  private static final double SCALE = 0.1;
  private static final Map<String, String> CONF = Map.of("spark.sql.shuffle.partitions", "24");

  @Test
  void answersAreThoseOfSparksOwnShuffle() throws Exception {
    Target target =
        Target.ALL.stream()
            .filter(each -> each.spark().equals(SparkHome.locate().sparkVersion()))
            .findFirst()
            .orElseThrow();
    ClusterSpec spec = ClusterSpec.builder().workerMemory("2g").build();
    try (StandaloneCluster cluster = StandaloneCluster.start(spec)) {
      TpchRun run = new TpchRun(cluster, Loading.of(target), SCALE, "1g", CONF).quickStart();
      run.provideTables();
      TpchRun.Results own = run.onSpark(List.of());
      TpchRun.Results ours = run.onVerbena(List.of());
      assertThat(own.queries()).as("22 queries, each twice").hasSize(44);
      assertThat(Comparison.problems(own, ours)).isEmpty();
    }
  }
}
