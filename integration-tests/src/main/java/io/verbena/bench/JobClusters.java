package io.verbena.bench;

import io.verbena.it.cluster.ClusterSpec;
import io.verbena.it.cluster.StandaloneCluster;
import java.io.IOException;
import java.util.Collection;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.Map;
import org.apache.spark.network.util.JavaUtils;

/**
 * The clusters that sides run on. Workers, not applications, say where local files lie, so the side
 * with its files in memory has a cluster of its own.
 */
final class JobClusters implements AutoCloseable {
  private static final int OVERHEAD_MIB = 512;

  private final JobOptions options;
  private final Map<Boolean, StandaloneCluster> byTmpfs = new LinkedHashMap<>();

  JobClusters(JobOptions options) {
    this.options = options;
  }

  /** Starts an application a side, all at once, and waits for them. */
  Map<JobSide, JobDriver> start(Collection<JobSide> sides, Map<String, String> workloadConf)
      throws IOException, InterruptedException {
    Map<JobSide, JobDriver.Submitted> submitted = new LinkedHashMap<>();
    Map<JobSide, JobDriver> drivers = new EnumMap<>(JobSide.class);
    try {
      for (JobSide side : sides) {
        submitted.put(
            side, JobDriver.submit(cluster(side), side, options.memory, conf(side, workloadConf)));
      }
      for (JobDriver.Submitted each : submitted.values()) {
        drivers.put(each.side(), each.await());
      }
      return drivers;
    } catch (IOException | InterruptedException | RuntimeException e) {
      stop(drivers.values());
      throw e;
    } finally {
      for (JobDriver.Submitted each : submitted.values()) {
        each.close();
      }
    }
  }

  /** Ends applications, executors included. */
  static void stop(Collection<JobDriver> drivers) throws IOException, InterruptedException {
    for (JobDriver driver : drivers) {
      driver.close();
    }
    for (JobDriver driver : drivers) {
      driver.awaitEnd();
    }
  }

  private Map<String, String> conf(JobSide side, Map<String, String> workloadConf) {
    Map<String, String> conf = new LinkedHashMap<>(workloadConf);
    conf.putAll(options.conf);
    if (options.profile) {
      conf.merge(
          "spark.executor.extraJavaOptions",
          CpuProfiler.JVM_OPTIONS,
          (own, ours) -> ours + " " + own);
    }
    if (side == JobSide.VERBENA) {
      conf.putAll(options.verbenaConf);
    }
    return conf;
  }

  private StandaloneCluster cluster(JobSide side) throws InterruptedException {
    boolean tmpfs = side == JobSide.SPARK_TMPFS;
    StandaloneCluster cluster = byTmpfs.get(tmpfs);
    if (cluster == null) {
      cluster = StandaloneCluster.start(spec(tmpfs));
      byTmpfs.put(tmpfs, cluster);
    }
    return cluster;
  }

  private ClusterSpec spec(boolean tmpfs) {
    long executorMib = JavaUtils.byteStringAsMb(options.memory) + OVERHEAD_MIB;
    ClusterSpec.Builder spec =
        ClusterSpec.builder()
            .workerCores(options.sides.size())
            .workerMemory(executorMib * options.sides.size() + "m");
    return (tmpfs ? spec.localRoot(options.tmpfs) : spec).build();
  }

  @Override
  public void close() {
    byTmpfs.values().forEach(StandaloneCluster::close);
    byTmpfs.clear();
  }
}
