package io.verbena.it.demo;

import io.verbena.it.cluster.AppSpec;
import io.verbena.it.cluster.ClusterException;
import io.verbena.it.cluster.ProjectJars;
import io.verbena.it.cluster.SparkHome;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
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
  private static final List<String> NOT_IN_MACHINES = List.of("--executors", "--cores", "--memory");

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
    PrintWriter out = spec.commandLine().getOut();
    PrintWriter progress = spec.commandLine().getErr();
    Path folder = Files.createTempDirectory("verbena-demo-");
    try {
      SparkHome home = SparkHome.locate();
      DemoRun.Settings settings =
          new DemoRun.Settings(
              input, scale, executors, cores, memory, memoryMib(), conf, softRoce, ui);
      DemoRun run = new DemoRun(home, folder, jar, application, verbena, settings, out, progress);
      int code = run.compare();
      if (ui && run.appId().isPresent()) {
        History.show(home, folder, run.events(), run.appId().get(), out);
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
    if (conf.containsKey(DemoRun.MANAGER)) {
      throw usage(
          "--conf " + DemoRun.MANAGER + ": the demo sets it, once to each of the two it compares");
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
}
