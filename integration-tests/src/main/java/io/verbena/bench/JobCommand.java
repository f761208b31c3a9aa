package io.verbena.bench;

import io.verbena.bench.work.Digest;
import io.verbena.bench.work.Size;
import io.verbena.bench.work.Workload;
import io.verbena.bench.work.Workloads;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code bin/bench job}. */
@Command(
    name = "job",
    mixinStandardHelpOptions = true,
    usageHelpWidth = 100,
    description = {
      "Whole jobs on standalone clusters of this machine, two executors of one core: on this"
          + " shuffle, on Spark's own, on Spark's own over the network, and on Spark's own with its"
          + " files on tmpfs. Sides run in turn, round by round; results are compared in every"
          + " round.",
      "Writes target/bench/job.json and job.svg, with --fresh job-fresh.json and job-fresh.svg,"
          + " with --profile job-profile.json and job-profile.svg."
    })
final class JobCommand implements Callable<Integer> {
  @Mixin private JobOptions options = new JobOptions();

  /** What is written. */
  record Result(Machine machine, JobOptions.Shown options, List<JobRow> rows) {}

  @Override
  public Integer call() throws IOException, InterruptedException {
    if (options.list) {
      Workloads.all().forEach(w -> System.out.printf("%-16s %s%n", w.title(), w.what()));
      return 0;
    }
    options.conclude();
    Machine machine = Machine.here();
    System.out.println(machine.line());
    System.out.println(options.shown().line());
    for (Workload workload : options.workloads) {
      for (Size size : options.sizes(workload)) {
        workload.provide(BenchFiles.data(), size);
      }
    }
    List<JobRow> rows = new ArrayList<>();
    JobTable table = new JobTable(System.out);
    try (JobClusters clusters = new JobClusters(options)) {
      for (Map.Entry<Map<String, String>, List<Workload>> group : byConf().entrySet()) {
        try (JobSides sides = JobSides.start(clusters, options, group.getKey())) {
          for (Workload workload : group.getValue()) {
            for (Size size : options.sizes(workload)) {
              JobRow row = measure(sides, workload, size);
              rows.add(row);
              table.print(row);
            }
          }
        }
      }
    }
    table.summary(rows);
    write(new Result(machine, options.shown(), rows));
    return 0;
  }

  private void write(Result result) throws IOException {
    String name = options.fresh ? "job-fresh" : options.profile ? "job-profile" : "job";
    Path json = BenchFiles.results().resolve(name + ".json");
    Json.write(json, result);
    System.out.println("written: " + json);
    if (result.rows.stream().anyMatch(row -> !row.comparisons().isEmpty())) {
      Path plot = BenchFiles.results().resolve(name + ".svg");
      Files.writeString(plot, RatioPlot.svg(result.rows, result.options.line()));
      System.out.println("written: " + plot);
    }
  }

  /** Workloads that can share an application, in the order in which they were named. */
  private Map<Map<String, String>, List<Workload>> byConf() {
    Map<Map<String, String>, List<Workload>> groups = new LinkedHashMap<>();
    for (Workload workload : options.workloads) {
      groups.computeIfAbsent(workload.conf(), conf -> new ArrayList<>()).add(workload);
    }
    return groups;
  }

  private JobRow measure(JobSides sides, Workload workload, Size size)
      throws IOException, InterruptedException {
    for (int round = 0; round < options.warmUp; round++) {
      // The first round looks at every byte of the results.
      round(sides, new JobRow(workload.title(), size), workload, round, round == 0);
    }
    JobRow row = new JobRow(workload.title(), size);
    sides.startProfile();
    for (int round = 0; round < options.pairs; round++) {
      round(sides, row, workload, round, false);
    }
    sides.stopProfile(row);
    return row;
  }

  /** Every side once; who begins changes from round to round. */
  private void round(JobSides sides, JobRow row, Workload workload, int round, boolean allBytes)
      throws IOException, InterruptedException {
    List<JobSide> order = new ArrayList<>(options.sides);
    Collections.rotate(order, round);
    Digest first = null;
    for (JobSide side : order) {
      Measured measured = sides.run(side, workload, row.size, allBytes);
      Digest digest = measured.digest();
      if (first == null) {
        first = digest;
      }
      check(row, side, workload, digest, first);
      row.cell(side).rounds.add(measured);
    }
  }

  /** Fails unless the result has the right number and is what the first side gave. */
  static void check(JobRow row, JobSide side, Workload workload, Digest digest, Digest first) {
    OptionalLong expected = workload.expected(row.size);
    long records = expected.orElse(first.records());
    // Without a promise, whether a partition happens to be in order does not matter.
    boolean sorted = !workload.sorted() || digest.sorted();
    if (digest.records() != records || digest.sum() != first.sum() || !sorted) {
      throw new BenchException(
          "%s, %s: %s, but expected %d records and what another side gave, %s"
              .formatted(side.title(), row.title(), digest, records, first));
    }
  }
}
