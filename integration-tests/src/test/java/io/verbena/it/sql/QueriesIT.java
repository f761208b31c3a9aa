package io.verbena.it.sql;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbena.it.cluster.AppResult;
import io.verbena.it.cluster.AppSpec;
import io.verbena.it.cluster.ClusterSpec;
import io.verbena.it.cluster.ProjectJars;
import io.verbena.it.cluster.StandaloneCluster;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Queries with adaptive execution on a cluster: our results, and Spark's own. */
final class QueriesIT {
  private static final String ROWS = "20000";
  private static final Pattern BYTES =
      Pattern.compile(
          "bytes written (\\d+) read (\\d+) of them local (\\d+) remote blocks (\\d+) local blocks"
              + " (\\d+)");

  private static StandaloneCluster cluster;
  private static List<String> expected;

  @BeforeAll
  static void start() throws InterruptedException {
    cluster = StandaloneCluster.start(ClusterSpec.builder().build());
    expected = results(cluster.submit(queries().conf("spark.shuffle.manager", "sort").build()));
    assertThat(expected).hasSizeGreaterThan(10);
  }

  @AfterAll
  static void stop() {
    cluster.close();
  }

  private static AppSpec.Builder queries() {
    return AppSpec.builder(ProjectJars.testApplications(), QueriesApp.class.getName())
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

  /** Everything but the byte counts. */
  private static List<String> results(AppResult result) {
    return result.orThrow().stdout().lines().filter(line -> !line.startsWith("bytes ")).toList();
  }

  /** Results without what depends on the plan, which follows block sizes. */
  private static List<String> rows(List<String> results) {
    return results.stream()
        .filter(line -> !line.startsWith("records "))
        .map(line -> line.replaceAll(", \\d+ partitions$", ""))
        .toList();
  }

  private static Matcher bytes(AppResult result) {
    Matcher matcher = BYTES.matcher(result.stdout());
    assertThat(matcher.find()).as(result.stdout()).isTrue();
    return matcher;
  }

  @Test
  void resultsAreSparksOwn() throws InterruptedException {
    AppResult result = cluster.submit(onVerbena().build());

    assertThat(rows(results(result))).isEqualTo(rows(expected));
    Matcher bytes = bytes(result);
    long remoteBlocks = Long.parseLong(bytes.group(4));
    long localBlocks = Long.parseLong(bytes.group(5));
    assertThat(remoteBlocks).as("blocks of the other executor").isPositive();
    assertThat(localBlocks).as("blocks of the same executor").isPositive();
    assertThat(result.log()).contains("Shuffle report: {").contains("\"shm\":");
  }

  @Test
  void adaptivePlansAndRecordCountsAreSparksOwnWhenEverythingIsCompressed()
      throws InterruptedException {
    AppResult result = cluster.submit(onVerbena("spark.shuffle.rdma.compress", "always").build());

    assertThat(results(result)).isEqualTo(expected);
  }

  @Test
  void resultsAreTheSameEncryptedThroughSparksBlockTransferService() throws InterruptedException {
    AppResult result =
        cluster.submit(
            onVerbena(
                    "spark.shuffle.rdma.transports", "netty", "spark.io.encryption.enabled", "true")
                .build());

    assertThat(rows(results(result))).isEqualTo(rows(expected));
    assertThat(Long.parseLong(bytes(result).group(4))).isPositive();
    assertThat(result.log()).contains("\"netty\":").doesNotContain("\"shm\":");
  }
}
