package io.verbena.it.tpch;

import io.verbena.it.cluster.ClusterException;
import io.verbena.it.cluster.ClusterSpec;
import io.verbena.it.cluster.JavaHome;
import io.verbena.it.cluster.SparkHome;
import io.verbena.it.cluster.SparkHomes;
import io.verbena.it.cluster.StandaloneCluster;
import io.verbena.it.matrix.Loading;
import io.verbena.it.matrix.Target;
import io.verbena.it.tpch.TpchRun.Results;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import org.apache.spark.network.util.JavaUtils;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Command line of TPC-H. Progress and problems go to stderr, the table to stdout. */
@Command(
    name = "bin/tpch",
    sortOptions = false,
    exitCodeOnInvalidInput = TpchCommand.USAGE_ERROR,
    usageHelpWidth = 100,
    description = {
      "Runs the 22 queries of TPC-H on a standalone cluster on this machine, on Spark's own shuffle"
          + " and on Verbena, each with adaptive execution and without. Prints a table: which"
          + " answers were the same, and the time of each query, one run each. Tables are made the"
          + " first time and kept in integration-tests/target/tpch.",
      ""
    },
    footer = {
      "",
      "For example:",
      "  bin/tpch",
      "  bin/tpch --scale 1 --memory 3g",
      "  bin/tpch --spark 3.5.8 --queries 9,18,21 --conf spark.sql.shuffle.partitions=64",
      "",
      "Exit codes: 0 all answers were the same, 1 one was not or a run failed, 64 wrong command"
          + " line, 69",
      "something is missing on this machine."
    })
public final class TpchCommand implements Callable<Integer> {
  static final int FAILED = 1;
  static final int USAGE_ERROR = 64;
  static final int MISSING = 69;
  private static final String MANAGER = "spark.shuffle.manager";
  private static final double MAX_SCALE = 1000;

  @Spec private CommandSpec spec;

  @Option(
      names = "--scale",
      paramLabel = "SF",
      description = "Scale factor: 1 is a gigabyte. Default: ${DEFAULT-VALUE}.")
  private double scale = 0.1;

  @Option(
      names = "--spark",
      paramLabel = "VERSION",
      description =
          "Version of Spark, such as 3.5.8. Default: the one that the build is made with.")
  private String spark;

  @Option(
      names = "--queries",
      paramLabel = "N",
      split = ",",
      description = "Only these, such as 1,18. Default: all.")
  private List<Integer> queries = new ArrayList<>();

  @Option(
      names = "--memory",
      paramLabel = "SIZE",
      description = "Heap of each of the two executors, such as 1g. Default: ${DEFAULT-VALUE}.")
  private String memory = "1g";

  @Option(
      names = "--conf",
      paramLabel = "K=V",
      description = "A Spark option for all runs; may be given several times.")
  private Map<String, String> conf = new LinkedHashMap<>();

  @Option(
      names = {"-h", "--help"},
      usageHelp = true,
      description = "Print this and end.")
  @SuppressWarnings("unused") // picocli looks at it
  private boolean help;

  private PrintWriter progress;

  /** Runs it and ends the process with its code. */
  public static void main(String[] args) {
    System.exit(commandLine().execute(args));
  }

  /** The command line, for its help. */
  public static CommandLine commandLine() {
    return new CommandLine(new TpchCommand());
  }

  @Override
  public Integer call() throws InterruptedException {
    progress = spec.commandLine().getErr();
    checkOptions();
    try {
      Target target = target();
      JavaHome java = JavaHome.find(target.java()).orElse(null);
      if (java == null) {
        progress.printf(
            "missing: Java %d (looked at JAVA_HOME and in %s)%n", target.java(), JavaHome.folder());
        return MISSING;
      }
      return run(target, java);
    } catch (ClusterException e) {
      progress.println("error: " + e.getMessage());
      return FAILED;
    }
  }

  private void checkOptions() {
    if (!(scale > 0 && scale <= MAX_SCALE)) {
      throw usage("--scale=%s: must be above 0 and at most %.0f".formatted(scale, MAX_SCALE));
    }
    for (int query : queries) {
      if (query < 1 || query > 22) {
        throw usage("--queries: %d: they are numbered 1 to 22".formatted(query));
      }
    }
    memoryMib();
    if (conf.containsKey(MANAGER)) {
      throw usage("--conf " + MANAGER + ": it is set once to each of the two that are compared");
    }
  }

  private long memoryMib() {
    try {
      return JavaUtils.byteStringAsMb(memory);
    } catch (NumberFormatException e) {
      throw usage("--memory=" + memory + ": must be a size in Spark's notation, such as 1g");
    }
  }

  private Target target() {
    String wanted = spark == null ? SparkHome.locate().sparkVersion() : spark;
    return Target.ALL.stream()
        .filter(target -> target.spark().equals(wanted))
        .findFirst()
        .orElseThrow(
            () ->
                usage(
                    "--spark=%s: there are %s"
                        .formatted(
                            wanted,
                            Target.ALL.stream()
                                .map(Target::spark)
                                .distinct()
                                .collect(Collectors.joining(", ")))));
  }

  private ParameterException usage(String message) {
    return new ParameterException(spec.commandLine(), message);
  }

  private int run(Target target, JavaHome java) throws InterruptedException {
    ClusterSpec cluster =
        ClusterSpec.builder()
            .home(SparkHomes.provide(target.spark(), target.scala()))
            .java(java)
            .workerMemory(Math.max(JavaUtils.byteStringAsMb(TpchTables.MEMORY), memoryMib()) + "m")
            .build();
    progress.println(target);
    try (StandaloneCluster running = StandaloneCluster.start(cluster)) {
      TpchRun run = new TpchRun(running, Loading.of(target), scale, memory, conf);
      progress.printf("Tables of scale %s in %s%n", scale, run.provideTables());
      progress.println("Running on Spark's own shuffle");
      Results own = run.onSpark(queries);
      progress.println("Running on Verbena");
      Results ours = run.onVerbena(queries);
      return print(own, ours);
    }
  }

  private int print(Results own, Results ours) {
    PrintWriter out = spec.commandLine().getOut();
    out.println(TpchTable.draw(own, ours));
    out.flush();
    List<String> problems = Comparison.problems(own, ours);
    problems.forEach(progress::println);
    return problems.isEmpty() ? 0 : FAILED;
  }
}
