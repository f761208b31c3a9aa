package io.verbena.it.matrix;

import io.verbena.apps.acceptance.Setting;
import io.verbena.it.cluster.ClusterException;
import io.verbena.it.cluster.JavaHome;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Command line of the version matrix. Progress and problems go to stderr, the table to stdout. */
@Command(
    name = "bin/matrix",
    sortOptions = false,
    exitCodeOnInvalidInput = Matrix.USAGE_ERROR,
    usageHelpWidth = 100,
    description = {
      "Runs the one jar on a standalone cluster of every supported version of Spark: an application"
          + " that uses a shuffle in every way that Spark has, first on Spark's own shuffle, then"
          + " on Verbena under several settings. Prints a table: which results were the same, how"
          + " the jar was loaded, and by which transport executors read one another. The first time"
          + " Maven fetches each Spark (about 250 MB).",
      ""
    },
    footer = {
      "",
      "For example:",
      "  bin/matrix --short",
      "  bin/matrix --spark 3.5.8,4.2.0 --conf spark.shuffle.rdma.transports=netty",
      "",
      "Exit codes: 0 everything was right, 1 something was not, 64 wrong command line, 69"
          + " something",
      "is missing on this machine."
    })
public final class Matrix implements Callable<Integer> {
  static final int FAILED = 1;
  static final int USAGE_ERROR = 64;
  static final int MISSING = 69;
  private static final String MANAGER = "spark.shuffle.manager";

  @Spec private CommandSpec spec;

  @Option(
      names = "--spark",
      paramLabel = "VERSION",
      split = ",",
      description = "Only these versions of Spark, such as 3.5.8,4.2.0. Default: all.")
  private List<String> sparks = new ArrayList<>();

  @Option(
      names = "--scala",
      paramLabel = "VERSION",
      split = ",",
      description = "Only these binary versions of Scala, such as 2.12. Default: all.")
  private List<String> scalas = new ArrayList<>();

  @Option(
      names = "--java",
      paramLabel = "N",
      split = ",",
      description = "Only these releases of Java, such as 17. Default: all.")
  private List<Integer> javas = new ArrayList<>();

  @Option(
      names = "--java-home",
      paramLabel = "N=PATH",
      description =
          "Where a release of Java is; may be given several times. Default: JAVA_HOME if it is that"
              + " release, or else what is found in /usr/lib/jvm (or VERBENA_JVM_DIR).")
  private Map<Integer, Path> javaHomes = new LinkedHashMap<>();

  @Option(
      names = "--short",
      description =
          "Leave out what takes long: huge records, blocks and numbers of tasks, all but one of the"
              + " codecs on each version, and most cases with the second way to load the jar.")
  private boolean brief;

  @Option(
      names = "--only",
      paramLabel = "SETTING",
      split = ",",
      description =
          "Only the cases of these settings, without --short: kryo, java, snappy, zstd, lzf, plain,"
              + " faults, large. Default: all.")
  private List<Setting> only = new ArrayList<>();

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

  /** Runs the matrix and ends the process with its code. */
  public static void main(String[] args) {
    System.exit(commandLine().execute(args));
  }

  /** The command line, for its help. */
  public static CommandLine commandLine() {
    return new CommandLine(new Matrix()).setCaseInsensitiveEnumValuesAllowed(true);
  }

  @Override
  public Integer call() throws InterruptedException {
    progress = spec.commandLine().getErr();
    List<Target> targets = targets();
    try {
      Map<Integer, JavaHome> homes = homes(targets);
      if (targets.stream().anyMatch(target -> !homes.containsKey(target.java()))) {
        return MISSING;
      }
      return run(targets, homes);
    } catch (ClusterException e) {
      progress.println("error: " + e.getMessage());
      return FAILED;
    }
  }

  private List<Target> targets() {
    if (conf.containsKey(MANAGER)) {
      throw usage("--conf " + MANAGER + ": the matrix sets it");
    }
    if (!only.isEmpty() && (brief || only.contains(Setting.BRIEF))) {
      throw usage("--only takes its pick of the long form: neither with --short nor brief");
    }
    List<Target> targets =
        Target.ALL.stream()
            .filter(target -> sparks.isEmpty() || sparks.contains(target.spark()))
            .filter(target -> scalas.isEmpty() || scalas.contains(target.scala()))
            .filter(target -> javas.isEmpty() || javas.contains(target.java()))
            .toList();
    if (targets.isEmpty()) {
      throw usage(
          "no such combination; there are: "
              + Target.ALL.stream().map(Target::toString).collect(Collectors.joining("; ")));
    }
    return targets;
  }

  private ParameterException usage(String message) {
    return new ParameterException(spec.commandLine(), message);
  }

  private Map<Integer, JavaHome> homes(List<Target> targets) {
    Map<Integer, JavaHome> homes = new LinkedHashMap<>();
    for (int feature : targets.stream().map(Target::java).distinct().toList()) {
      Optional<JavaHome> found =
          javaHomes.containsKey(feature)
              ? Optional.of(named(feature, javaHomes.get(feature)))
              : JavaHome.find(feature);
      found.ifPresentOrElse(
          home -> homes.put(feature, home),
          () ->
              progress.printf(
                  "missing: Java %d (looked at JAVA_HOME and in %s); say where it is with"
                      + " --java-home %d=PATH, or leave it out with --java%n",
                  feature, JavaHome.folder(), feature));
    }
    return homes;
  }

  private JavaHome named(int feature, Path path) {
    JavaHome home = JavaHome.at(path);
    if (home.feature() != feature) {
      throw usage("--java-home %d=%s: it is Java %s".formatted(feature, path, home.version()));
    }
    return home;
  }

  private int run(List<Target> targets, Map<Integer, JavaHome> homes) throws InterruptedException {
    PrintWriter out = spec.commandLine().getOut();
    MatrixRun run = new MatrixRun(brief, Set.copyOf(only), conf);
    List<Row> rows = new ArrayList<>();
    for (Target target : targets) {
      progress.println(target);
      rows.addAll(run.run(target, homes.get(target.java()), this::printProblems));
    }
    out.println(MatrixTable.draw(rows));
    out.flush();
    return rows.stream().allMatch(row -> row.problems().isEmpty()) ? 0 : FAILED;
  }

  private void printProblems(Row row) {
    progress.printf("  %s: %d cases right, %.0f s%n", row.loading(), row.passed(), row.seconds());
    row.problems().forEach(problem -> progress.println("  " + problem));
  }
}
