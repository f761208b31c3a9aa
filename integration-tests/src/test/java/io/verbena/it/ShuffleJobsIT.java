package io.verbena.it;

import static io.verbena.it.Submitted.assertRight;
import static io.verbena.it.Submitted.falls;
import static io.verbena.it.Submitted.jobs;
import static io.verbena.it.Submitted.readBytes;
import static io.verbena.it.Submitted.report;
import static io.verbena.it.Submitted.sum;
import static io.verbena.it.Submitted.transports;
import static org.assertj.core.api.Assertions.assertThat;

import io.verbena.it.cluster.AppResult;
import io.verbena.it.cluster.StandaloneCluster;
import io.verbena.it.demo.ShuffleReport;
import io.verbena.it.demo.ShuffleReport.Executor;
import io.verbena.it.jobs.Job;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Every kind of shuffle on two executors, right and by the way it is meant to take. */
@ExtendWith(SharedCluster.class)
final class ShuffleJobsIT {
  private static final Job[] ALL = Job.values();
  private static final Job[] RDD = {
    Job.PARTITION_BY, Job.SORT, Job.GROUP_BY_KEY, Job.REDUCE_BY_KEY
  };

  @Test
  void everyKindOfShuffleIsRightAndNeighboursAreReadThroughTheirMemory(StandaloneCluster cluster)
      throws Exception {
    AppResult result = cluster.submit(jobs(ALL).build());
    assertRight(result, ALL);
    ShuffleReport report = report(result);
    assertOnlyShm(report);
    assertThat(report.executors()).hasSize(2);
    assertThat(sum(report, Executor::localBytes)).isPositive();
    assertThat(sum(report, Executor::runsInPool)).isPositive();
    assertThat(sum(report, Executor::runsOnDisk)).isZero();
    assertThat(sum(report, Executor::checksumFailures)).isZero();
    assertThat(report.executors())
        .allSatisfy(executor -> assertThat(executor.poolBacking()).isEqualTo("tmpfs"));
  }

  @Test
  void javaSerializationIsRightCompressedAndEncrypted(StandaloneCluster cluster) throws Exception {
    AppResult result =
        cluster.submit(
            jobs(RDD)
                .conf("spark.serializer", "org.apache.spark.serializer.JavaSerializer")
                .conf("spark.shuffle.rdma.compress", "always")
                .conf("spark.io.encryption.enabled", "true")
                .build());
    assertRight(result, RDD);
    assertOnlyShm(report(result));
  }

  @Test
  void kryoThatWantsEveryClassRegisteredFindsNoneOfOurs(StandaloneCluster cluster)
      throws Exception {
    AppResult result =
        cluster.submit(jobs(ALL).conf("spark.kryo.registrationRequired", "true").build());
    assertRight(result, ALL);
    assertOnlyShm(report(result));
  }

  @Test
  void mapOutputsOfSeveralRunsAreRight(StandaloneCluster cluster) throws Exception {
    Job[] serialized = {Job.PARTITION_BY, Job.SORT, Job.SQL_REPARTITION};
    Job.Load large = new Job.Load(400_000, 1_000, 2, 6);
    // About 10 MiB for execution, and map tasks of 20 MiB and more.
    AppResult result =
        cluster.submit(jobs(large, serialized).conf("spark.memory.fraction", "0.05").build());
    assertRight(result, large, serialized);
    ShuffleReport report = report(result);
    assertOnlyShm(report);
    assertThat(sum(report, Executor::runsInPool))
        .isGreaterThanOrEqualTo(2L * large.maps() * serialized.length);
  }

  @Test
  void driverAndExecutorInOneProcessReadTheirOwnPool(StandaloneCluster cluster) throws Exception {
    AppResult result =
        cluster.submit(jobs(ALL).conf("spark.verbena.test.master", "local[2]").build());
    assertRight(result, ALL);
    ShuffleReport report = report(result);
    assertThat(report.executors()).extracting(Executor::executor).containsExactly("driver");
    assertThat(transports(report)).isEmpty();
    assertThat(falls(report)).isEmpty();
    assertThat(sum(report, Executor::localBytes)).isPositive();
  }

  @Test
  void nettyAloneServesRunsInThePoolAndOnDisk(StandaloneCluster cluster) throws Exception {
    AppResult result =
        cluster.submit(
            jobs(ALL)
                .conf("spark.shuffle.rdma.transports", "netty")
                .conf("spark.shuffle.rdma.pool.limit", "1m")
                .conf("spark.shuffle.rdma.pool.regionSize", "1m")
                .conf("spark.shuffle.rdma.chunkSize", "64k")
                .build());
    assertRight(result, ALL);
    ShuffleReport report = report(result);
    assertThat(transports(report)).containsExactly("netty");
    assertThat(falls(report)).isEmpty();
    assertThat(sum(report, Executor::runsInPool)).isPositive();
    assertThat(sum(report, Executor::runsOnDisk)).isPositive();
    assertThat(sum(report, Executor::checksumFailures)).isZero();
  }

  private static void assertOnlyShm(ShuffleReport report) {
    assertThat(transports(report)).containsExactly("shm");
    assertThat(readBytes(report, "shm")).isPositive();
    assertThat(falls(report)).isEmpty();
  }
}
