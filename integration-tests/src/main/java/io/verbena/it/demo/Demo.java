package io.verbena.it.demo;

import io.verbena.it.cluster.AppHandle;
import io.verbena.it.cluster.AppResult;
import io.verbena.it.cluster.AppSpec;
import io.verbena.it.cluster.ClusterException;
import io.verbena.it.cluster.ClusterSpec;
import io.verbena.it.cluster.ProjectJars;
import io.verbena.it.cluster.SparkHome;
import io.verbena.it.cluster.StandaloneCluster;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;
import org.apache.spark.network.util.JavaUtils;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Command line of the demo. What it prints of its own goes to stderr, results to stdout. */
@Command(
    name = "bin/demo",
    sortOptions = false,
    exitCodeOnInvalidInput = Demo.USAGE_ERROR,
    usageHelpWidth = 100,
    description = {
      "Starts a standalone Spark cluster on this machine (one master, two workers, executors in"
          + " their own JVMs) and submits an analysis of a molecular dynamics trajectory to it:"
          + " mean squared displacement and radial distribution function. First with Verbena:",
      "",
      "  --conf spark.shuffle.manager=" + AppSpec.VERBENA_MANAGER + " --jars verbena.jar",
      "",
      "then with Spark's own shuffle. Prints the result, what the shuffle did, whether both results"
          + " are equal, and both times.",
      "",
      "With --soft-roce the first of the two runs on two virtual machines that have an RDMA device"
          + " each, as bin/soft-roce boots them, an executor on either; some minutes.",
      ""
    },
    footer = {
      "",
      "For example:",
      "  bin/demo --scale 20 --cores 2 --memory 2g --ui",
      "  bin/demo --input '/data/run7/*.lammpstrj.gz' --executors 4 --conf"
          + " spark.memory.fraction=0.5",
      "",
      "Exit codes: 0 both results are equal, 1 they differ or a run failed, 2 unusable input,",
      "64 wrong command line, 69 something is missing on this machine."
    })
public final class Demo implements Callable<Integer> {
  static final int FAILED = 1;
  static final int USAGE_ERROR = 64;
  private static final String APPLICATION = "io.verbena.apps.trajectory.TrajectoryAnalysis";
  private static final String MANAGER = "spark.shuffle.manager";
  private static final Pattern SCHEME = Pattern.compile("^[A-Za-z][A-Za-z0-9+.-]*:/");
  // Of no use to somebody who wants to know why a run failed.
  private static final Pattern NOISE =
      Pattern.compile("^([ab]: )?(WARNING: Using incubator modules|[0-9:.]+ INFO )");
  private static final int WORKERS = 2;
  private static final List<String> NOT_IN_MACHINES = List.of("--executors", "--cores", "--memory");
  // A job of the user's own input takes what it takes; Ctrl-C ends it and everything else.
  private static final Duration RUN_LIMIT = Duration.ofDays(1);

  @Spec private CommandSpec spec;

  @Option(
      names = "--input",
      paramLabel = "PATH",
      description =
          "LAMMPS text dump (.lammpstrj), plain or compressed: a file, a pattern or a folder; any"
              + " path that Hadoop's FileSystem reads. Default: a Lennard-Jones melt of 1,372"
              + " atoms that comes with the source.")
  private String input;

  @Option(
      names = "--scale",
      paramLabel = "N",
      description =
          "Load: the trajectory N times over, with atom ids shifted. Default: 2, with --soft-roce"
              + " 1.")
  private Integer scale;

  @Option(
      names = "--executors",
      paramLabel = "N",
      description = "Number of executors, spread over two workers. Default: ${DEFAULT-VALUE}.")
  private int executors = 2;

  @Option(
      names = "--cores",
      paramLabel = "N",
      description = "Cores of each executor. Default: ${DEFAULT-VALUE}.")
  private int cores = 1;

  @Option(
      names = "--memory",
      paramLabel = "SIZE",
      description = "Heap of each executor, such as 1g. Default: ${DEFAULT-VALUE}.")
  private String memory = "1g";

  @Option(
      names = "--conf",
      paramLabel = "K=V",
      description = "A Spark option for both runs; may be given several times.")
  private Map<String, String> conf = new LinkedHashMap<>();

  @Option(
      names = "--soft-roce",
      description =
          "Run it on two virtual machines, whose executors read one another by RDMA READ. Each has"
              + " one core and 512m, so --executors, --cores and --memory are not for this.")
  private boolean softRoce;

  @Option(
      names = "--ui",
      description =
          "Afterwards show the run on Verbena in Spark's History Server, with the page \"RDMA"
              + " Shuffle\": on 127.0.0.1 port 18080, or the next free one, for an hour or until"
              + " Ctrl-C.")
  private boolean ui;

  @Option(
      names = {"-h", "--help"},
      usageHelp = true,
      description = "Print this and end.")
  @SuppressWarnings("unused") // picocli looks at it
  private boolean help;

  private PrintWriter out;
  private PrintWriter progress;
  private Path folder;

  /** What virtual machines write, too. */
  private Path results;

  private Optional<String> appId = Optional.empty();
  private final Supplier<Path> jar;
  private final String application;
  private final UnaryOperator<AppSpec.Builder> verbena;

  /** The application, its jar, and what switches Verbena on in it. */
  Demo(Supplier<Path> jar, String application, UnaryOperator<AppSpec.Builder> verbena) {
    this.jar = jar;
    this.application = application;
    this.verbena = verbena;
  }

  /** Runs the demo and ends the process with its code. */
  public static void main(String[] args) {
    System.exit(commandLine().execute(args));
  }

  static CommandLine commandLine() {
    return new CommandLine(
        new Demo(ProjectJars::applications, APPLICATION, AppSpec.Builder::onVerbena));
  }

  @Override
  public Integer call() throws InterruptedException, IOException {
    checkOptions();
    out = spec.commandLine().getOut();
    progress = spec.commandLine().getErr();
    folder = Files.createTempDirectory("verbena-demo-");
    results = Files.createDirectory(folder.resolve("results"));
    Files.createDirectory(events());
    try {
      SparkHome home = SparkHome.locate();
      int code = compare(home);
      if (ui && appId.isPresent()) {
        History.show(home, folder, events(), appId.get(), out);
      }
      return code;
    } catch (ClusterException e) {
      progress.println("error: " + e.getMessage());
      return FAILED;
    } finally {
      out.flush();
      JavaUtils.deleteRecursively(folder.toFile());
    }
  }

  private Path onVerbena() {
    return results.resolve("verbena.csv");
  }

  private Path onSpark() {
    return results.resolve("spark.csv");
  }

  private Path events() {
    return results.resolve("events");
  }

  private void checkOptions() {
    if (scale == null) {
      scale = softRoce ? 1 : 2;
    }
    atLeastOne("--scale", scale);
    atLeastOne("--executors", executors);
    atLeastOne("--cores", cores);
    memoryMib();
    if (softRoce) {
      checkMachines();
    }
    if (conf.containsKey(MANAGER)) {
      throw usage("--conf " + MANAGER + ": the demo sets it, once to each of the two it compares");
    }
  }

  private void checkMachines() {
    for (String option : NOT_IN_MACHINES) {
      if (spec.commandLine().getParseResult().hasMatchedOption(option)) {
        throw usage(option + ": not with --soft-roce, where it is fixed");
      }
    }
    memory = "512m";
  }

  private void atLeastOne(String option, int value) {
    if (value < 1) {
      throw usage("%s=%d: must be at least 1".formatted(option, value));
    }
  }

  private long memoryMib() {
    try {
      return JavaUtils.byteStringAsMb(memory);
    } catch (NumberFormatException e) {
      throw usage("--memory=" + memory + ": must be a size in Spark's notation, such as 1g");
    }
  }

  private ParameterException usage(String message) {
    return new ParameterException(spec.commandLine(), message);
  }

  private int compare(SparkHome home) throws InterruptedException, IOException {
    progress.printf("Starting Spark %s: a master and %d workers%n", home.sparkVersion(), WORKERS);
    try (StandaloneCluster cluster = StandaloneCluster.start(clusterSpec(home))) {
      AppResult first = runOnVerbena(home, cluster);
      if (first.exitCode() != 0) {
        return first.exitCode();
      }
      appId = first.appId();
      Verdict verdict = new Verdict(out);
      boolean reported = verdict.printFirst(first);
      progress.println("Running on Spark's own shuffle");
      AppResult second = run(cluster, app(onSpark()).conf(MANAGER, "sort"));
      if (second.exitCode() != 0) {
        return second.exitCode();
      }
      boolean equal = verdict.printEqual(onVerbena(), onSpark());
      verdict.printTimes(first, second, softRoce);
      return equal && reported ? 0 : FAILED;
    }
  }

  private AppResult runOnVerbena(SparkHome home, StandaloneCluster cluster)
      throws InterruptedException, IOException {
    AppSpec.Builder app = verbena.apply(app(onVerbena()));
    if (ui) {
      app.conf("spark.eventLog.enabled", "true");
      app.conf("spark.eventLog.dir", events().toUri().toString());
    }
    if (softRoce) {
      progress.println(
          "Running on Verbena: two virtual machines, an executor on each, heap of each: " + memory);
      progress.println("  (the first time packages and a kernel are fetched for them)");
      return told(new OnSoftRoce(home, folder, results).run(app.build(), follower()));
    }
    progress.printf(
        "Running on Verbena: %d executors, cores of each: %d, heap of each: %s%n",
        executors, cores, memory);
    return run(cluster, app);
  }

  private ClusterSpec clusterSpec(SparkHome home) {
    int perWorker = (executors + WORKERS - 1) / WORKERS;
    return ClusterSpec.builder()
        .home(home)
        .workers(WORKERS)
        .workerCores(perWorker * cores)
        .workerMemory(perWorker * memoryMib() + "m")
        .build();
  }

  private AppSpec.Builder app(Path output) {
    return AppSpec.builder(jar.get(), application)
        .executorMemory(memory)
        .conf("spark.executor.cores", Integer.toString(cores))
        .conf("spark.cores.max", Integer.toString(executors * cores))
        .conf(conf)
        .args("--input", inputPath())
        .args("--scale", Integer.toString(scale))
        .args("--output", output.toString());
  }

  /** The driver runs in a folder of its own, so a relative path is made absolute. */
  private String inputPath() {
    if (input == null) {
      return ProjectJars.sampleTrajectory().toString();
    }
    return SCHEME.matcher(input).find() ? input : Path.of(input).toAbsolutePath().toString();
  }

  private AppResult run(StandaloneCluster cluster, AppSpec.Builder builder)
      throws InterruptedException, IOException {
    try (AppHandle app = cluster.submitAsync(builder.limit(RUN_LIMIT).build())) {
      follower().follow(app::isAlive, app.logFile());
      return told(app.waitFor(RUN_LIMIT));
    }
  }

  private Progress follower() {
    return new Progress(progress, Boolean.getBoolean("verbena.demo.terminal"));
  }

  /** Says why an application has failed, if so. */
  private AppResult told(AppResult result) {
    if (result.exitCode() != 0) {
      result
          .stderr()
          .lines()
          .filter(line -> !NOISE.matcher(line).find())
          .forEach(progress::println);
      progress.printf("The application ended with exit code %d%n", result.exitCode());
    }
    return result;
  }
}
