package io.verbena.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbena.it.cluster.AppResult;
import io.verbena.it.cluster.AppSpec;
import io.verbena.it.cluster.ProjectJars;
import io.verbena.it.demo.ShuffleReport;
import io.verbena.it.jobs.Job;
import io.verbena.it.jobs.Outcome;
import io.verbena.it.jobs.ShuffleJobs;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.ToLongFunction;
import java.util.stream.Stream;

/** How tests submit {@link ShuffleJobs} and look at what comes out. */
public final class Submitted {
  private Submitted() {}

  /** An application of this project's tests, with small JVMs that start quickly. */
  static AppSpec.Builder app(Class<?> main) {
    return AppSpec.builder(ProjectJars.testApplications(), main.getName())
        .addJar(ProjectJars.applications())
        .quickStart()
        .driverMemory("512m")
        .executorMemory("512m")
        .conf("spark.serializer", "org.apache.spark.serializer.KryoSerializer");
  }

  /** Jobs with a small load. */
  static AppSpec.Builder jobs(Job... jobs) {
    return jobs(Job.Load.SMALL, jobs);
  }

  static AppSpec.Builder jobs(Job.Load load, Job... jobs) {
    return app(ShuffleJobs.class)
        .onVerbena()
        .args(load.toString())
        .args(Arrays.stream(jobs).map(Job::name).toArray(String[]::new));
  }

  /** Asserts that an application has ended well and printed what its jobs must give. */
  static void assertRight(AppResult result, Job... jobs) {
    assertRight(result, Job.Load.SMALL, jobs);
  }

  static void assertRight(AppResult result, Job.Load load, Job... jobs) {
    String[] lines =
        Arrays.stream(jobs).map(job -> job + " " + job.expected(load)).toArray(String[]::new);
    assertThat(result.orThrow().stdout().lines()).containsExactly(lines);
  }

  static void assertRight(AppResult result, Outcome expected) {
    assertThat(result.orThrow().stdout().strip()).isEqualTo(expected.toString());
  }

  /** What the shuffle manager reported at the end. */
  static ShuffleReport report(AppResult result) {
    return ShuffleReport.lastIn(result.log())
        .orElseThrow(() -> new AssertionError("no shuffle report in " + result.logFile()));
  }

  /** A figure over all executors. */
  static long sum(ShuffleReport report, ToLongFunction<ShuffleReport.Executor> figure) {
    return report.executors().stream().mapToLong(figure).sum();
  }

  /** Bytes that executors read of one another, by transport. */
  public static long readBytes(ShuffleReport report, String transport) {
    return sum(report, executor -> executor.readBytes().getOrDefault(transport, 0L));
  }

  /** Names of transports by which anything was read. */
  public static List<String> transports(ShuffleReport report) {
    return keys(report, executor -> executor.readBytes());
  }

  /** Falls to another transport, with their reasons. */
  public static List<String> falls(ShuffleReport report) {
    return keys(report, ShuffleReport.Executor::falls);
  }

  private static List<String> keys(
      ShuffleReport report, Function<ShuffleReport.Executor, Map<String, Long>> figures) {
    return report.executors().stream()
        .map(figures)
        .flatMap(
            each ->
                each.entrySet().stream()
                    .filter(entry -> entry.getValue() > 0)
                    .map(Map.Entry::getKey))
        .distinct()
        .sorted()
        .toList();
  }

  /** Lines of a log that contain a text. */
  static Stream<String> lines(String log, String text) {
    return log.lines().filter(line -> line.contains(text));
  }
}
