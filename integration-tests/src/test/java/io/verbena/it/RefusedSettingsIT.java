package io.verbena.it;

import static io.verbena.it.Submitted.app;
import static io.verbena.it.Submitted.jobs;
import static org.assertj.core.api.Assertions.assertThat;

import io.verbena.it.cluster.AppResult;
import io.verbena.it.cluster.StandaloneCluster;
import io.verbena.it.jobs.Job;
import io.verbena.it.jobs.RefusedStarts;
import java.util.List;
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

  @Test
  void eachOfTheseSettingsAloneIsRefusedAtStart(StandaloneCluster cluster) throws Exception {
    String[] settings = {
      "spark.shuffle.service.enabled=true",
      "spark.shuffle.push.enabled=true",
      "spark.shuffle.useOldFetchProtocol=true",
      "spark.storage.decommission.fallbackStorage.path=file:///tmp/fallback/",
      "spark.shuffle.rdma.pool.limit=lots",
      "spark.shuffle.rdma.transports=shm,carrier-pigeon"
    };
    AppResult result = cluster.submit(app(RefusedStarts.class).onVerbena().args(settings).build());
    List<String> lines = result.orThrow().stdout().lines().toList();
    assertThat(lines).hasSameSizeAs(settings);
    for (int i = 0; i < settings.length; i++) {
      String beginning =
          i < 4 ? "The RDMA shuffle cannot run with these settings" : "1 problem in ";
      assertThat(lines.get(i)).startsWith(settings[i] + " -> " + beginning);
      for (String setting : settings) {
        // Each was set alone: no other one is named as a fault.
        boolean named = lines.get(i).contains(" " + setting + ": ");
        assertThat(named)
            .as("%s in: %s", setting, lines.get(i))
            .isEqualTo(setting.equals(settings[i]));
      }
    }
  }

  private static void assertEndedAtStart(AppResult result) {
    assertThat(result.exitCode()).isNotZero();
    assertThat(result.stdout()).isEmpty();
    assertThat(result.log()).doesNotContain("Starting task");
  }
}
