package io.verbena.it.sql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.withinPercentage;

import io.verbena.it.cluster.AppResult;
import io.verbena.it.cluster.AppSpec;
import io.verbena.it.cluster.ClusterSpec;
import io.verbena.it.cluster.ProjectJars;
import io.verbena.it.cluster.StandaloneCluster;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Queries with adaptive execution on a cluster: our results, and Spark's own. */
final class QueriesIT {
  private static final String ROWS = "20000";
  private static final Pattern NUMBER = Pattern.compile("\\d+");

  private static StandaloneCluster cluster;
  private static AppResult expected;

  @BeforeAll
  static void start() throws InterruptedException {
    cluster = StandaloneCluster.start(ClusterSpec.builder().build());
    expected = cluster.submit(queries().conf("spark.shuffle.manager", "sort").build());
    assertThat(texts(expected, "rows")).hasSizeGreaterThan(10);
  }

  @AfterAll
  static void stop() {
    cluster.close();
  }

  private static AppSpec.Builder queries() {
    return AppSpec.builder(ProjectJars.testApplications(), QueriesApp.class.getName())
        .addJar(ProjectJars.applications())
        .conf("spark.sql.shuffle.partitions", "20")
        .conf("spark.sql.adaptive.advisoryPartitionSizeInBytes", "32k")
        .conf("spark.sql.adaptive.coalescePartitions.minPartitionSize", "8k")
        .conf("spark.sql.adaptive.skewJoin.skewedPartitionThresholdInBytes", "64k")
        .conf("spark.sql.autoBroadcastJoinThreshold", "16k")
        .conf("spark.shuffle.rdma.pool.regionSize", "16m")
        .quickStart()
        .args(ROWS);
  }

  private static AppSpec.Builder onVerbena(String... pairs) {
    Map<String, String> conf = new LinkedHashMap<>();
    for (int i = 0; i < pairs.length; i += 2) {
      conf.put(pairs[i], pairs[i + 1]);
    }
    return queries().onVerbena().conf(conf);
  }

  /** Lines of a kind, by query. */
  private static Map<String, String> texts(AppResult result, String kind) {
    Map<String, String> texts = new LinkedHashMap<>();
    result
        .orThrow()
        .stdout()
        .lines()
        .map(line -> line.split("\t", 3))
        .filter(fields -> fields[1].equals(kind))
        .forEach(fields -> texts.put(fields[0], fields[2]));
    return texts;
  }

  /** Bytes written, read, of these local, blocks of others, own blocks: of one query. */
  private static long[] bytes(String text) {
    return NUMBER
        .matcher(text)
        .results()
        .mapToLong(found -> Long.parseLong(found.group()))
        .toArray();
  }

  private static long sum(AppResult result, int figure) {
    return texts(result, "bytes").values().stream().mapToLong(text -> bytes(text)[figure]).sum();
  }

  @Test
  void resultsAreSparksOwn() throws InterruptedException {
    AppResult result = cluster.submit(onVerbena().build());

    assertThat(texts(result, "rows")).isEqualTo(texts(expected, "rows"));
    assertThat(sum(result, 3)).as("blocks of the other executor").isPositive();
    assertThat(sum(result, 4)).as("blocks of the same executor").isPositive();
    assertThat(result.log()).contains("Shuffle report: {").contains("\"shm\":");
  }

  @Test
  void adaptivePlansAndMetricsAreSparksOwnWhenEverythingIsCompressed() throws InterruptedException {
    AppResult result = cluster.submit(onVerbena("spark.shuffle.rdma.compress", "always").build());

    for (String kind : List.of("rows", "plan", "records")) {
      assertThat(texts(result, kind)).as(kind).isEqualTo(texts(expected, kind));
    }
    Map<String, String> bytes = texts(result, "bytes");
    texts(expected, "bytes")
        .forEach(
            (query, text) -> {
              assertThat(bytes(bytes.get(query))[0])
                  .as("bytes written, %s", query)
                  .isCloseTo(bytes(text)[0], withinPercentage(1));
              assertThat(bytes(bytes.get(query))[1])
                  .as("bytes read, %s", query)
                  .isCloseTo(bytes(text)[1], withinPercentage(1));
            });
  }

  /** Or the test above would prove nothing. */
  @Test
  void plansHaveAllThatAdaptiveExecutionDoesToShuffles() {
    Map<String, String> plans = texts(expected, "plan");
    assertThat(plans.get("group")).as("merged reduce partitions").contains("AQEShuffleRead[r0-9 ");
    assertThat(plans.get("sort merge join"))
        .as("a skewed partition, split by map outputs")
        .contains("SortMergeJoin(skew=true)")
        .containsPattern("r11:m0-\\d r11:m");
    assertThat(plans.get("rebalance")).containsPattern("r11:m0-\\d r11:m");
    assertThat(plans.get("join that may become a broadcast"))
        .as("map outputs that are read where they are")
        .contains("BroadcastHashJoin", "AQEShuffleRead[m0-");
    assertThat(plans.get("join with nothing")).isEqualTo("EmptyRelation");
    assertThat(plans.get("aggregation of nothing")).isEqualTo("EmptyRelation");
    assertThat(bytes(texts(expected, "records").get("join with nothing"))[0])
        .as("records that were written before it was known")
        .isPositive();
  }

  @Test
  void resultsAreTheSameEncryptedThroughSparksBlockTransferService() throws InterruptedException {
    AppResult result =
        cluster.submit(
            onVerbena(
                    "spark.shuffle.rdma.transports", "netty", "spark.io.encryption.enabled", "true")
                .build());

    assertThat(texts(result, "rows")).isEqualTo(texts(expected, "rows"));
    assertThat(sum(result, 3)).isPositive();
    assertThat(result.log()).contains("\"netty\":").doesNotContain("\"shm\":");
  }
}
