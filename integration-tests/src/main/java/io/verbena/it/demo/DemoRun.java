package io.verbena.it.demo;

import io.verbena.it.cluster.AppHandle;
import io.verbena.it.cluster.AppResult;
import io.verbena.it.cluster.AppSpec;
import io.verbena.it.cluster.ClusterSpec;
import io.verbena.it.cluster.ProjectJars;
import io.verbena.it.cluster.SparkHome;
import io.verbena.it.cluster.StandaloneCluster;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;

/** Runs the demo's application on Verbena and on Spark's own shuffle, and compares the two. */
final class DemoRun {
  static final String MANAGER = "spark.shuffle.manager";

  private static final Pattern SCHEME = Pattern.compile("^[A-Za-z][A-Za-z0-9+.-]*:/");
  // Of no use to somebody who wants to know why a run failed.
  private static final Pattern NOISE =
      Pattern.compile("^([ab]: )?(WARNING: Using incubator modules|[0-9:.]+ INFO )");
  private static final int WORKERS = 2;
  // A job of the user's own input takes what it takes; Ctrl-C ends it and everything else.
  private static final Duration RUN_LIMIT = Duration.ofDays(1);

  /**
   * What the command line asks for, checked.
   *
   * @param input null for the sample
   * @param memory heap of an executor, in Spark's notation
   * @param memoryMib the same as a number
   */
  record Settings(
      String input,
      int scale,
      int executors,
      int cores,
      String memory,
      long memoryMib,
      Map<String, String> conf,
      boolean softRoce,
      boolean ui) {}

  private final SparkHome home;
  private final Path folder;
  // What virtual machines write, too.
  private final Path results;
  private final Supplier<Path> jar;
  private final String application;
  private final UnaryOperator<AppSpec.Builder> verbena;
  private final Settings settings;
  private final PrintWriter out;
  private final PrintWriter progress;
  private Optional<String> appId = Optional.empty();

  DemoRun(
      SparkHome home,
      Path folder,
      Supplier<Path> jar,
      String application,
      UnaryOperator<AppSpec.Builder> verbena,
      Settings settings,
      PrintWriter out,
      PrintWriter progress)
      throws IOException {
    this.home = home;
    this.folder = folder;
    this.jar = jar;
    this.application = application;
    this.verbena = verbena;
    this.settings = settings;
    this.out = out;
    this.progress = progress;
    this.results = Files.createDirectory(folder.resolve("results"));
    Files.createDirectory(events());
  }

  /** The application's id on Verbena, once it has succeeded. */
  Optional<String> appId() {
    return appId;
  }

  /** Gives the exit code of the demo. */
  int compare() throws InterruptedException, IOException {
    progress.printf("Starting Spark %s: a master and %d workers%n", home.sparkVersion(), WORKERS);
    try (StandaloneCluster cluster = StandaloneCluster.start(clusterSpec())) {
      AppResult first = runOnVerbena(cluster);
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
      verdict.printTimes(first, second, settings.softRoce());
      return equal && reported ? 0 : Demo.FAILED;
    }
  }

  private AppResult runOnVerbena(StandaloneCluster cluster)
      throws InterruptedException, IOException {
    AppSpec.Builder app = verbena.apply(app(onVerbena()));
    if (settings.ui()) {
      app.conf("spark.eventLog.enabled", "true");
      app.conf("spark.eventLog.dir", events().toUri().toString());
    }
    if (settings.softRoce()) {
      progress.println(
          "Running on Verbena: two virtual machines, an executor on each, heap of each: "
              + settings.memory());
      progress.println("  (the first time packages and a kernel are fetched for them)");
      return told(new OnSoftRoce(home, folder, results).run(app.build(), follower()));
    }
    progress.printf(
        "Running on Verbena: %d executors, cores of each: %d, heap of each: %s%n",
        settings.executors(), settings.cores(), settings.memory());
    return run(cluster, app);
  }

  private ClusterSpec clusterSpec() {
    int perWorker = (settings.executors() + WORKERS - 1) / WORKERS;
    return ClusterSpec.builder()
        .home(home)
        .workers(WORKERS)
        .workerCores(perWorker * settings.cores())
        .workerMemory(perWorker * settings.memoryMib() + "m")
        .build();
  }

  private AppSpec.Builder app(Path output) {
    return AppSpec.builder(jar.get(), application)
        .executorMemory(settings.memory())
        .conf("spark.executor.cores", Integer.toString(settings.cores()))
        .conf("spark.cores.max", Integer.toString(settings.executors() * settings.cores()))
        .conf(settings.conf())
        .args("--input", inputPath())
        .args("--scale", Integer.toString(settings.scale()))
        .args("--output", output.toString());
  }

  /** The driver runs in a folder of its own, so a relative path is made absolute. */
  private String inputPath() {
    if (settings.input() == null) {
      return ProjectJars.sampleTrajectory().toString();
    }
    return SCHEME.matcher(settings.input()).find()
        ? settings.input()
        : Path.of(settings.input()).toAbsolutePath().toString();
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

  private Path onVerbena() {
    return results.resolve("verbena.csv");
  }

  private Path onSpark() {
    return results.resolve("spark.csv");
  }

  /** Where event logs are. */
  Path events() {
    return results.resolve("events");
  }
}
