package io.verbena.bench;

import com.fasterxml.jackson.annotation.JsonProperty;
import io.verbena.bench.work.Digest;
import java.util.List;

/**
 * One run with all that was measured of it.
 *
 * @param run what the driver knows
 * @param digest of the result
 * @param cpu CPU time of all processes
 * @param residentPeakBytes highest resident memory of the executors, added up; what they map of one
 *     another's memory is counted in each
 * @param executors what executors tell of themselves, of this run alone
 */
record Measured(
    JobRun run,
    Digest digest,
    ProcessCpu cpu,
    long residentPeakBytes,
    List<ExecutorFigures> executors) {

  /**
   * CPU seconds by process.
   *
   * @param executors both executors
   * @param driver the application's driver
   * @param cluster master and workers
   */
  record ProcessCpu(double executors, double driver, double cluster) {
    @JsonProperty
    double total() {
      return executors + driver + cluster;
    }

    ProcessCpu plus(ProcessCpu other) {
      return new ProcessCpu(
          executors + other.executors, driver + other.driver, cluster + other.cluster);
    }

    ProcessCpu minus(ProcessCpu other) {
      return new ProcessCpu(
          executors - other.executors, driver - other.driver, cluster - other.cluster);
    }
  }

  /** A figure of all executors, added up; 0 where it does not exist. */
  double figure(String name) {
    return executors.stream().mapToDouble(executor -> executor.figure(name)).sum();
  }
}
