package io.verbena.bench;

import io.verbena.bench.work.Size;
import io.verbena.bench.work.Workload;
import io.verbena.bench.work.Workloads;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Options of the job benchmark. */
final class JobOptions {
  /** More would take weeks, and the bounds of the median are computed in doubles. */
  static final int MOST_PAIRS = 1_000;

  private static final int QUICK_PAIRS = 2;

  /**
   * What {@code --quick} runs when no workload is named: most of its time is that of JVMs which
   * start and compile, so it is the number of runs that must be small.
   */
  private static final Set<String> QUICK_SET = Set.of("partition", "sql-repartition", "tiny");

  private static final List<JobSide> QUICK_SIDES = List.of(JobSide.VERBENA, JobSide.SPARK);

  @Spec(Spec.Target.MIXEE)
  private CommandSpec spec;

  @Parameters(
      paramLabel = "WORKLOAD",
      arity = "0..*",
      description = "Workloads to run, by name (--list has them); default all.")
  private List<String> names = new ArrayList<>();

  /** What the names mean; settled by {@link #conclude}. */
  List<Workload> workloads = List.of();

  @Option(names = "--list", description = "Print all workloads and end.")
  boolean list;

  @Option(
      names = "--pairs",
      paramLabel = "N",
      description =
          "Measured rounds, in each of which every side runs once; default ${DEFAULT-VALUE}. With"
              + " less than 5 there are no 95 %% bounds.")
  int pairs = 5;

  @Option(
      names = "--warm-up",
      paramLabel = "ROUNDS",
      description = "Rounds before those that are measured; default ${DEFAULT-VALUE}.")
  int warmUp = 2;

  @Option(
      names = "--fresh",
      description =
          "Measure the first run in fresh executors: every run has an application of its own, with"
              + " cold memory and cold code. No warm-up.")
  boolean fresh;

  @Option(
      names = "--sides",
      split = ",",
      description =
          "Sides to run: ${COMPLETION-CANDIDATES}; default all, with --quick the first two.")
  List<JobSide> sides = new ArrayList<>();

  @Option(
      names = "--reduces",
      split = ",",
      paramLabel = "N",
      description = "Numbers of reduce partitions instead of the workloads' own.")
  List<Integer> reduces = new ArrayList<>();

  @Option(
      names = "--scale",
      paramLabel = "FACTOR",
      description = "Times as many records; default ${DEFAULT-VALUE}.")
  double scale = 1;

  @Option(
      names = "--memory",
      paramLabel = "SIZE",
      description = "Heap of an executor; default ${DEFAULT-VALUE}.")
  String memory = "2g";

  @Option(
      names = "--tmpfs",
      paramLabel = "FOLDER",
      description = "Where the side SPARK_TMPFS has its files; default ${DEFAULT-VALUE}.")
  Path tmpfs = Path.of("/dev/shm");

  @Option(
      names = "--conf",
      paramLabel = "KEY=VALUE",
      description = "A Spark option of all sides; repeatable.")
  Map<String, String> conf = new LinkedHashMap<>();

  @Option(
      names = "--verbena-conf",
      paramLabel = "KEY=VALUE",
      description = "A Spark option of Verbena's side alone; repeatable.")
  Map<String, String> verbenaConf = new LinkedHashMap<>();

  @Option(
      names = "--quick",
      description =
          "Small sizes, two rounds, and without names only some workloads and sides: under 3"
              + " minutes, for trying; no figures to quote.")
  boolean quick;

  @Option(
      names = "--profile",
      description =
          "Sample where executors spend CPU time and print it by use; stacks go to target/bench,"
              + " to draw flame graphs of. Costs a little time itself: quote times of a run"
              + " without.")
  boolean profile;

  /** Checks all options together and settles what was left open. */
  void conclude() {
    if (quick) {
      pairs = Math.min(pairs, QUICK_PAIRS);
      warmUp = Math.min(warmUp, 1);
    }
    if (fresh) {
      warmUp = 0;
    }
    if (sides.isEmpty()) {
      sides = quick ? QUICK_SIDES : List.of(JobSide.values());
    }
    sides = List.copyOf(new LinkedHashSet<>(sides));
    check(pairs >= 1 && pairs <= MOST_PAIRS, "--pairs=" + pairs + ": from 1 to " + MOST_PAIRS);
    check(warmUp >= 0, "--warm-up=" + warmUp + ": at least 0");
    check(scale > 0 && Double.isFinite(scale), "--scale=" + scale + ": a number above 0");
    for (int number : reduces) {
      check(number >= 1, "--reduces=" + number + ": at least 1");
    }
    check(!profile || !fresh, "--profile: not together with --fresh");
    check(
        !sides.contains(JobSide.SPARK_TMPFS) || isTmpfs(tmpfs),
        "--tmpfs=" + tmpfs + ": no folder on a tmpfs; name one, or leave out the side SPARK_TMPFS");
    workloads = names.isEmpty() ? defaults() : names.stream().distinct().map(this::named).toList();
  }

  private List<Workload> defaults() {
    return Workloads.all().stream().filter(w -> !quick || QUICK_SET.contains(w.title())).toList();
  }

  private Workload named(String name) {
    try {
      return Workloads.of(name);
    } catch (IllegalArgumentException e) {
      throw new ParameterException(spec.commandLine(), e.getMessage());
    }
  }

  private void check(boolean good, String otherwise) {
    if (!good) {
      throw new ParameterException(spec.commandLine(), otherwise);
    }
  }

  private static boolean isTmpfs(Path folder) {
    try {
      return Files.isDirectory(folder) && Files.getFileStore(folder).type().equals("tmpfs");
    } catch (IOException e) {
      return false;
    }
  }

  /** The sizes in which a workload is run. */
  List<Size> sizes(Workload workload) {
    Size size = (quick ? workload.quickSize() : workload.size()).times(scale);
    return reduces.isEmpty() ? List.of(size) : reduces.stream().map(size::withReduces).toList();
  }

  /** The options as figures depend on them. */
  record Shown(
      int pairs,
      int warmUpRounds,
      boolean fresh,
      double scale,
      String executorMemory,
      Map<String, String> conf,
      Map<String, String> verbenaConf,
      boolean profiled,
      boolean quick) {
    String line() {
      return String.format(
          Locale.ROOT,
          "2 executors of 1 core and %s heap; %d pairs, %s, sides in turn; conf %s, Verbena's own"
              + " %s%s%s%s",
          executorMemory,
          pairs,
          fresh
              ? "each run the first in fresh executors"
              : "after " + warmUpRounds + " rounds to warm up",
          conf,
          verbenaConf,
          scale == 1 ? "" : "; sizes times " + scale,
          profiled ? "; PROFILED: times are not for quoting" : "",
          quick ? "; QUICK: not for quoting" : "");
    }
  }

  Shown shown() {
    return new Shown(pairs, warmUp, fresh, scale, memory, conf, verbenaConf, profile, quick);
  }
}
