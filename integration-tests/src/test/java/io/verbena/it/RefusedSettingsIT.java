package io.verbena.it;

import static io.verbena.it.Submitted.jobs;
import static org.assertj.core.api.Assertions.assertThat;

import io.verbena.it.cluster.AppResult;
import io.verbena.it.cluster.StandaloneCluster;
import io.verbena.it.jobs.Job;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Applications that must not start. */
@ExtendWith(SharedCluster.class)
final class RefusedSettingsIT {
  @Test
  void wrongOptionsEndTheApplicationAtStartWithKeyValueAndWhatIsAllowed(StandaloneCluster cluster)
      throws Exception {
    AppResult result =
        cluster.submit(
            jobs(Job.PARTITION_BY)
                .conf("spark.shuffle.rdma.pool.regionSize", "300m")
                .conf("spark.shuffle.rdma.regionSize", "256m")
                .build());
    assertEndedAtStart(result);
    assertThat(result.stderr())
        .contains("2 problems in the configuration of the RDMA shuffle")
        .contains("spark.shuffle.rdma.pool.regionSize=300m: not a power of two; allowed: ")
        .contains("spark.shuffle.rdma.regionSize=256m: unknown key; the nearest known key is ");
  }

  @Test
  void settingsOfSparkThatCannotBeServedEndTheApplicationAtStart(StandaloneCluster cluster)
      throws Exception {
    AppResult result =
        cluster.submit(
            jobs(Job.PARTITION_BY)
                .conf("spark.shuffle.service.enabled", "true")
                .conf("spark.shuffle.push.enabled", "true")
                .conf("spark.shuffle.useOldFetchProtocol", "true")
                .build());
    assertEndedAtStart(result);
    assertThat(result.stderr())
        .contains("The RDMA shuffle cannot run with these settings")
        .contains("spark.shuffle.service.enabled=true: ")
        .contains("spark.shuffle.push.enabled=true: ")
        .contains("spark.shuffle.useOldFetchProtocol=true: ");
  }

  private static void assertEndedAtStart(AppResult result) {
    assertThat(result.exitCode()).isNotZero();
    assertThat(result.stdout()).isEmpty();
    assertThat(result.log()).doesNotContain("Starting task");
  }
}
