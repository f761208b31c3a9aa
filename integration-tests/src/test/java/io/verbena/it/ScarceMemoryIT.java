package io.verbena.it;

import static io.verbena.it.Submitted.assertRight;
import static io.verbena.it.Submitted.falls;
import static io.verbena.it.Submitted.jobs;
import static io.verbena.it.Submitted.lines;
import static io.verbena.it.Submitted.readBytes;
import static io.verbena.it.Submitted.report;
import static io.verbena.it.Submitted.sum;
import static io.verbena.it.Submitted.transports;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.verbena.it.cluster.AppHandle;
import io.verbena.it.cluster.AppResult;
import io.verbena.it.cluster.ClusterSpec;
import io.verbena.it.cluster.ExecutorProcess;
import io.verbena.it.cluster.Namespaces;
import io.verbena.it.cluster.StandaloneCluster;
import io.verbena.it.demo.ShuffleReport;
import io.verbena.it.demo.ShuffleReport.Executor;
import io.verbena.it.jobs.Job;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Pools that are full, and hosts whose shared memory is tiny, unwritable or not shared. */
@ExtendWith(SharedCluster.class)
final class ScarceMemoryIT {
  private static final Duration LIMIT = Duration.ofMinutes(3);
  private static final Job[] JOBS = {Job.PARTITION_BY, Job.REDUCE_BY_KEY, Job.SQL_JOIN};

  @Test
  void runsGoToDiskWhenThePoolIsFullAndAreReadInPlace(StandaloneCluster cluster) throws Exception {
    AppResult result =
        cluster.submit(
            jobs(JOBS)
                .conf("spark.shuffle.rdma.pool.limit", "1m")
                .conf("spark.shuffle.rdma.pool.regionSize", "1m")
                .conf("spark.shuffle.rdma.chunkSize", "64k")
                .build());
    assertRight(result, JOBS);
    ShuffleReport report = report(result);
    assertThat(sum(report, Executor::runsOnDisk)).isPositive();
    assertThat(transports(report)).containsExactly("disk", "shm");
    assertThat(readBytes(report, "disk")).isPositive();
    assertThat(falls(report)).isEmpty();
    assertThat(report.executors())
        .allSatisfy(executor -> assertThat(executor.poolLimit()).isEqualTo(1 << 20));
    PoolFiles.awaitNoneOfOurs(cluster.workerLocalDir(0), LIMIT);
    PoolFiles.awaitNoneOfOurs(cluster.workerLocalDir(1), LIMIT);
  }

  @Test
  void poolsLieOnDiskWhereSharedMemoryIsTinyOrReadOnly() throws Exception {
    assumeThat(Namespaces.available()).as("may mount in an own namespace").isTrue();
    ClusterSpec spec =
        ClusterSpec.builder()
            .workerPrefix(0, Namespaces.privateDevShm("1m"))
            .workerPrefix(1, Namespaces.readOnlyDevShm())
            .build();
    try (StandaloneCluster cluster = StandaloneCluster.start(spec);
        AppHandle app = cluster.submitAsync(jobs(JOBS).build())) {
      String appId = app.awaitAppId(LIMIT);
      AppResult result = app.waitFor(LIMIT);
      assertRight(result, JOBS);
      ShuffleReport report = report(result);
      assertThat(transports(report)).containsExactly("shm");
      assertThat(falls(report)).isEmpty();
      assertThat(sum(report, Executor::runsOnDisk)).isZero();
      assertThat(report.executors())
          .hasSize(2)
          .allSatisfy(executor -> assertThat(executor.poolBacking()).isEqualTo("disk"));
      List<ExecutorProcess> executors = cluster.executorsEver(appId);
      assertThat(executors)
          .allSatisfy(
              executor ->
                  assertThat(lines(executor.log(), "not using tmpfs at /dev/shm")).hasSize(1));
      assertThat(executors)
          .filteredOn(executor -> executor.worker() == 0)
          .allSatisfy(
              executor ->
                  assertThat(executor.log())
                      .contains("/dev/shm has 1 MiB free, 256 MiB are needed"));
      cluster.awaitExecutorsGone(appId, LIMIT);
      PoolFiles.awaitNoneOfOurs(cluster.workerLocalDir(0), LIMIT);
      PoolFiles.awaitNoneOfOurs(cluster.workerLocalDir(1), LIMIT);
    }
  }

  @Test
  void executorsOnTwoHostsReadEachOtherByNettyCompressedAndWarnOfNothing() throws Exception {
    assumeThat(Namespaces.available()).as("may mount in an own namespace").isTrue();
    ClusterSpec spec =
        ClusterSpec.builder()
            .workerHost(1, "127.0.0.2")
            .workerPrefix(0, Namespaces.privateDevShm("64m"))
            .workerPrefix(1, Namespaces.privateDevShm("64m"))
            .build();
    try (StandaloneCluster cluster = StandaloneCluster.start(spec);
        AppHandle app =
            cluster.submitAsync(
                jobs(JOBS).conf("spark.shuffle.rdma.pool.regionSize", "16m").build())) {
      String appId = app.awaitAppId(LIMIT);
      AppResult result = app.waitFor(LIMIT);
      assertRight(result, JOBS);
      ShuffleReport report = report(result);
      assertThat(transports(report)).containsExactly("netty");
      assertThat(falls(report)).isEmpty();
      assertThat(cluster.executorsEver(appId))
          .hasSize(2)
          .allSatisfy(
              executor -> {
                assertThat(lines(executor.log(), "is not read by")).isEmpty();
                assertThat(lines(executor.log(), "is on another host, out of reach of shm"))
                    .hasSize(1);
                // In its first line, or when the other has come.
                assertThat(
                        lines(
                            executor.log(),
                            "map outputs are compressed: there are executors on several hosts"))
                    .hasSize(1);
              });
    }
  }

  @OnDemand
  @Test
  void executorsThatDoNotShareTheirMemoryReadEachOtherByNettyAndSayWhy() throws Exception {
    assumeThat(Namespaces.available()).as("may mount in an own namespace").isTrue();
    ClusterSpec spec =
        ClusterSpec.builder()
            .workerPrefix(0, Namespaces.privateDevShm("64m"))
            .workerPrefix(1, Namespaces.privateDevShm("64m"))
            .build();
    try (StandaloneCluster cluster = StandaloneCluster.start(spec)) {
      AppResult result =
          cluster.submit(jobs(JOBS).conf("spark.shuffle.rdma.pool.regionSize", "16m").build());
      assertRight(result, JOBS);
      ShuffleReport report = report(result);
      assertThat(transports(report)).containsExactly("netty");
      assertThat(report.executors())
          .hasSize(2)
          .allSatisfy(
              executor -> {
                assertThat(executor.falls()).hasSize(1);
                assertThat(executor.falls().keySet().iterator().next())
                    .startsWith("shm->netty")
                    .contains("does not exist here");
                assertThat(executor.poolBacking()).isEqualTo("tmpfs");
              });
    }
  }
}
