package io.verbena.bench;

import io.verbena.bench.work.Size;
import io.verbena.bench.work.Workload;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Runs a workload on any side: in applications that live through all rounds, idle when it is not
 * their turn, or in a fresh one for every run.
 */
final class JobSides implements AutoCloseable {
  private final JobClusters clusters;
  private final boolean fresh;
  private final Map<String, String> conf;
  private final Map<JobSide, JobDriver> drivers;
  private final Optional<CpuProfiler> profiler;

  private JobSides(
      JobClusters clusters,
      boolean fresh,
      Map<String, String> conf,
      Map<JobSide, JobDriver> drivers,
      Optional<CpuProfiler> profiler) {
    this.clusters = clusters;
    this.fresh = fresh;
    this.conf = conf;
    this.drivers = drivers;
    this.profiler = profiler;
  }

  /** Starts what lives through all rounds. */
  static JobSides start(JobClusters clusters, JobOptions options, Map<String, String> conf)
      throws IOException, InterruptedException {
    Optional<CpuProfiler> profiler =
        options.profile ? Optional.of(CpuProfiler.in(BenchFiles.profiles())) : Optional.empty();
    Map<JobSide, JobDriver> drivers =
        options.fresh ? Map.of() : clusters.start(options.sides, conf);
    return new JobSides(clusters, options.fresh, conf, drivers, profiler);
  }

  /** Samples executors from now on, if that is wanted. */
  void startProfile() throws IOException {
    if (profiler.isPresent()) {
      for (JobDriver driver : drivers.values()) {
        driver.startProfile(profiler.get());
      }
    }
  }

  /** Ends that and puts it into the row. */
  void stopProfile(JobRow row) throws IOException {
    if (profiler.isEmpty()) {
      return;
    }
    for (Map.Entry<JobSide, JobDriver> each : drivers.entrySet()) {
      String name = "%s-%d-%s".formatted(row.workload, row.size.reduces(), each.getKey());
      JobCell cell = row.cell(each.getKey());
      cell.profile =
          CpuProfile.of(
              each.getValue().stopProfile(profiler.get(), name),
              CpuProfiler.SECONDS_OF_SAMPLE / cell.rounds.size());
    }
  }

  Measured run(JobSide side, Workload workload, Size size, boolean allBytes)
      throws IOException, InterruptedException {
    if (!fresh) {
      return drivers.get(side).run(workload, size, allBytes);
    }
    Map<JobSide, JobDriver> one = clusters.start(List.of(side), conf);
    try {
      return one.get(side).run(workload, size, allBytes);
    } finally {
      JobClusters.stop(one.values());
    }
  }

  @Override
  public void close() throws IOException {
    try {
      JobClusters.stop(drivers.values());
    } catch (InterruptedException e) {
      // What still runs ends with its cluster.
      Thread.currentThread().interrupt();
    }
  }
}
