package io.verbena.bench;

import io.verbena.it.cluster.ClusterSpec;
import io.verbena.it.cluster.StandaloneCluster;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.apache.spark.network.util.JavaUtils;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code bin/bench job}. */
@Command(
    name = "job",
    mixinStandardHelpOptions = true,
    description = {
      "Whole jobs on a standalone cluster of this machine, two executors of one core: on this"
          + " shuffle, on Spark's own, and on Spark's own over the network. The three applications"
          + " live side by side and run in turn; results are compared.",
      "Writes target/bench/job.json."
    })
final class JobCommand implements Callable<Integer> {
  private static final int OVERHEAD_MIB = 512;

  @Mixin private JobOptions options = new JobOptions();

  /** What is written. */
  record Result(Machine machine, JobOptions.Shown options, List<JobRow> rows) {}

  @Override
  public Integer call() throws IOException, InterruptedException {
    options.conclude();
    Machine machine = Machine.here();
    System.out.println(machine.line());
    System.out.println(options.shown().line());
    long executorMib = JavaUtils.byteStringAsMb(options.memory) + OVERHEAD_MIB;
    ClusterSpec spec =
        ClusterSpec.builder()
            .workerCores(options.sides.size())
            .workerMemory(executorMib * options.sides.size() + "m")
            .build();
    List<JobRow> rows = new ArrayList<>();
    try (StandaloneCluster cluster = StandaloneCluster.start(spec)) {
      Map<JobSide, JobDriver> drivers = new EnumMap<>(JobSide.class);
      try {
        List<JobDriver.Submitted> submitted = new ArrayList<>();
        for (JobSide side : options.sides) {
          submitted.add(JobDriver.submit(cluster, side, options.memory, conf(side)));
        }
        for (JobDriver.Submitted each : submitted) {
          drivers.put(each.side(), each.await());
        }
        measure(drivers, rows);
      } finally {
        for (JobDriver driver : drivers.values()) {
          driver.close();
        }
      }
    }
    Path file = BenchFiles.results().resolve("job.json");
    Json.write(file, new Result(machine, options.shown(), rows));
    System.out.println("written: " + file);
    return 0;
  }

  private Map<String, String> conf(JobSide side) {
    Map<String, String> conf = new LinkedHashMap<>(options.conf);
    if (side == JobSide.VERBENA) {
      conf.putAll(options.verbenaConf);
    }
    return conf;
  }

  private void measure(Map<JobSide, JobDriver> drivers, List<JobRow> rows) throws IOException {
    JobTable table = new JobTable(System.out);
    for (int reduces : options.reduces) {
      for (JobLoad load : options.loads) {
        JobRow row = new JobRow(load, reduces);
        for (int round = 0; round < options.warmUp; round++) {
          // The first round looks at every byte of the results.
          round(drivers, new JobRow(load, reduces), round, round == 0);
        }
        for (int round = 0; round < options.rounds; round++) {
          round(drivers, row, round, false);
        }
        rows.add(row);
        table.print(row);
      }
    }
  }

  /** Every side once; who begins changes from round to round. */
  private void round(Map<JobSide, JobDriver> drivers, JobRow row, int round, boolean allBytes)
      throws IOException {
    List<JobSide> order = new ArrayList<>(drivers.keySet());
    Collections.rotate(order, round);
    long records = options.records(row.load);
    JobDigest.Total first = null;
    for (JobSide side : order) {
      JobDriver.Measured measured = drivers.get(side).run(row.load, row.reduces, records, allBytes);
      JobDigest.Total digest = measured.run().digest();
      if (first == null) {
        first = digest;
      }
      check(row, side, records, digest, first);
      row.cell(side).rounds.add(measured);
    }
  }

  private static void check(
      JobRow row, JobSide side, long records, JobDigest.Total digest, JobDigest.Total first) {
    boolean sorted = row.load != JobLoad.SORT || digest.sorted();
    // Without sort, whether a partition happens to be in order is nobody's promise.
    if (digest.records() != records || digest.sum() != first.sum() || !sorted) {
      throw new BenchException(
          "%s, %s, %d reduces: %s, but expected %d records and what another side gave, %s"
              .formatted(side.title(), row.load.title(), row.reduces, digest, records, first));
    }
  }
}
