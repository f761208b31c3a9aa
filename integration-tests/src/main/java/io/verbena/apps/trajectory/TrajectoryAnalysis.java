package io.verbena.apps.trajectory;

import java.io.IOException;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import org.apache.spark.SparkConf;
import org.apache.spark.api.java.JavaSparkContext;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/**
 * Command line of the application, for {@code spark-submit}. Ends with 0 when all went well, 1 when
 * Spark failed, 2 when the input cannot be used, 64 when the command line is wrong.
 */
@Command(
    name = "TrajectoryAnalysis",
    sortOptions = false,
    usageHelpWidth = 100,
    description =
        "Mean squared displacement and radial distribution function of a molecular dynamics"
            + " trajectory: LAMMPS text dumps (.lammpstrj) with orthogonal boxes, plain or"
            + " compressed. Results go to stdout, progress to stderr.",
    footer = {
      "",
      "Positions are taken from xu yu zu, from x y z or xs ys zs with image flags ix iy iz, or else"
          + " followed over periodic boundaries from frame to frame.",
      "Kryo is used unless spark.serializer is set.",
      "",
      "Exit codes: 0 fine, 1 Spark failed, 2 unusable input, 64 wrong command line."
    })
public final class TrajectoryAnalysis implements Callable<Integer> {
  static final int INPUT_ERROR = 2;
  static final int USAGE_ERROR = 64;
  private static final String KRYO = "org.apache.spark.serializer.KryoSerializer";

  @Spec private CommandSpec spec;

  @Option(
      names = "--input",
      paramLabel = "PATH",
      description = "File, pattern or folder; any path that Hadoop's FileSystem reads.")
  private String input;

  @Option(
      names = "--scale",
      defaultValue = "1",
      paramLabel = "N",
      description = "Load: the trajectory N times over, each copy a system of atoms of its own.")
  private int scale;

  @Option(
      names = "--partitions",
      defaultValue = "0",
      paramLabel = "P",
      description = "Partitions of the shuffles. Default: four per core.")
  private int partitions;

  @Option(
      names = "--cutoff",
      paramLabel = "R",
      description =
          "Longest distance of the radial distribution function. Default: three mean distances"
              + " between atoms, rounded down, at most half the box.")
  private Double cutoff;

  @Option(
      names = "--bins",
      defaultValue = "" + Settings.DEFAULT_BINS,
      paramLabel = "B",
      description = "Bins of the radial distribution function. Default: ${DEFAULT-VALUE}.")
  private int bins;

  @Option(
      names = "--max-lag",
      defaultValue = "0",
      paramLabel = "L",
      description = "Longest time lag in frames. Default: half of the frames.")
  private int maxLag;

  @Option(
      names = "--output",
      paramLabel = "FILE",
      description = "Also write all values there, comma-separated, with all digits.")
  private Path output;

  @Option(
      names = {"-h", "--help"},
      usageHelp = true,
      description = "Print this and end.")
  @SuppressWarnings("unused") // picocli looks at it
  private boolean help;

  /** Runs the application and ends the process with its code. */
  public static void main(String[] args) {
    int code = run(args);
    if (code != 0) {
      System.exit(code);
    }
  }

  static int run(String... args) {
    return commandLine().execute(args);
  }

  static CommandLine commandLine() {
    return new CommandLine(new TrajectoryAnalysis())
        .setParameterExceptionHandler(TrajectoryAnalysis::wrongUsage);
  }

  private static int wrongUsage(ParameterException e, String[] args) {
    PrintWriter err = e.getCommandLine().getErr();
    err.println("error: " + e.getMessage());
    e.getCommandLine().usage(err);
    err.flush();
    return USAGE_ERROR;
  }

  @Override
  public Integer call() {
    Settings settings = settings();
    PrintWriter err = spec.commandLine().getErr();
    PrintWriter out = spec.commandLine().getOut();
    try (JavaSparkContext spark = new JavaSparkContext(sparkConf())) {
      Report report = new Report(Analysis.run(spark, settings, err::println));
      report.print(out::println);
      if (output != null) {
        write(report);
        err.println("all values are in " + output);
      }
      return 0;
    } catch (InputException e) {
      err.println("error: " + e.getMessage());
      return INPUT_ERROR;
    } catch (IOException e) {
      err.println("error: cannot write " + output + ": " + e);
      return 1;
    } finally {
      out.flush();
      err.flush();
    }
  }

  private Settings settings() {
    if (input == null) { // not "required": picocli would say that before an unknown option
      throw usage("Missing option: --input=PATH");
    }
    atLeast("--scale", scale, 1);
    atLeast("--partitions", partitions, 0);
    atLeast("--bins", bins, 1);
    atLeast("--max-lag", maxLag, 0);
    if (cutoff != null && !(cutoff > 0 && Double.isFinite(cutoff))) {
      throw usage("--cutoff=" + cutoff + ": must be a number above 0");
    }
    return new Settings(input, scale, partitions, cutoff == null ? 0 : cutoff, bins, maxLag);
  }

  private void atLeast(String option, int value, int least) {
    if (value < least) {
      throw usage("%s=%d: must be at least %d".formatted(option, value, least));
    }
  }

  private ParameterException usage(String message) {
    return new ParameterException(spec.commandLine(), message);
  }

  private static SparkConf sparkConf() {
    SparkConf conf =
        new SparkConf()
            .setIfMissing("spark.app.name", "TrajectoryAnalysis")
            .setIfMissing("spark.serializer", KRYO);
    return conf.setIfMissing("spark.kryo.registrator", TrajectoryRegistrator.class.getName());
  }

  private void write(Report report) throws IOException {
    try (PrintStream file =
        new PrintStream(Files.newOutputStream(output), false, StandardCharsets.UTF_8)) {
      report.write(line -> file.print(line + "\n"));
      if (file.checkError()) {
        throw new IOException("not all values could be written");
      }
    }
  }
}
