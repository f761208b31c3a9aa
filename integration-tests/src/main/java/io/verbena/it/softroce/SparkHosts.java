package io.verbena.it.softroce;

import io.verbena.it.cluster.AppSpec;
import io.verbena.it.cluster.JavaHome;
import io.verbena.it.cluster.LogSettings;
import io.verbena.it.cluster.SparkHome;
import io.verbena.it.cluster.SparkJvm;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * What {@code bin/soft-roce} is to run for a cluster of two executors of one core, which read one
 * another by {@code verbs} alone: both on its one machine, or one on each of a pair.
 */
public final class SparkHosts {
  /**
   * Without a wait for locality: a host that is slow in its first task would get none after it, as
   * long as the other one, where the blocks are by then, takes one every three seconds.
   */
  private static final Map<String, String> DEFAULTS =
      Map.of(
          "spark.locality.wait", "0s",
          "spark.shuffle.rdma.transports", "verbs",
          "spark.ui.enabled", "false",
          "spark.cores.max", "2",
          "spark.executor.memory", "512m",
          "spark.scheduler.minRegisteredResourcesRatio", "1.0",
          "spark.scheduler.maxRegisteredResourcesWaitingTime", "240s");

  private final SparkHome home;
  private final List<Path> classPath;
  private final Path out;
  private final LogSettings logging;

  /**
   * Hosts of a cluster.
   *
   * @param classPath jars that the hosts' JVMs need beside Spark's
   * @param out an existing folder that the machines write below
   */
  public SparkHosts(SparkHome home, List<Path> classPath, Path out) throws IOException {
    this.home = home;
    this.classPath = List.copyOf(classPath);
    this.out = out;
    this.logging = new LogSettings(out);
  }

  /** Options of {@code bin/soft-roce}; makes the home's archive of classes if need be. */
  public List<String> options() throws InterruptedException {
    List<String> options = new ArrayList<>(List.of("--out", out.toString()));
    Map<String, String> env = new LinkedHashMap<>(jvm("any").env());
    env.remove("SPARK_LOCAL_IP"); // Here the hosts are two.
    env.forEach((name, value) -> options.addAll(List.of("--env", name + "=" + value)));
    return options;
  }

  /**
   * The host of master and driver.
   *
   * @param workers how many of the two are here
   * @param app what to run; its options come after ours, those of its driver's JVM do not count
   */
  public List<String> driver(int workers, AppSpec app) {
    List<String> command =
        host("driver", List.of("driver", Integer.toString(workers), work().toString()));
    Map<String, String> conf = new LinkedHashMap<>(DEFAULTS);
    conf.put("spark.executor.extraJavaOptions", logging.forServer());
    conf.putAll(app.conf());
    conf.forEach((key, value) -> command.addAll(List.of("--conf", key + "=" + value)));
    if (!app.jars().isEmpty()) {
      command.add("--jars");
      command.add(app.jars().stream().map(Path::toString).collect(Collectors.joining(",")));
    }
    command.addAll(List.of("--class", app.mainClass(), app.jar().toString()));
    command.addAll(app.args());
    return command;
  }

  /** The host of the second worker, for a pair. */
  public List<String> worker() {
    return host("worker", List.of("worker", work().toString()));
  }

  /** The file with the driver's log from INFO; written while it runs. */
  public Path log() {
    return log("driver");
  }

  private Path log(String name) {
    return out.resolve(name + ".log");
  }

  private Path work() {
    return out.resolve("work");
  }

  private List<String> host(String name, List<String> arguments) {
    List<String> main = new ArrayList<>(List.of(SparkHost.class.getName()));
    main.addAll(arguments);
    return jvm(name).command(main);
  }

  private SparkJvm jvm(String name) {
    SparkJvm jvm =
        new SparkJvm(home, JavaHome.current())
            .options(List.of("-Xmx512m"))
            .options(logging.forDriver(log(name)))
            .inheritedOptions(AppSpec.QUICK_START);
    classPath.forEach(jvm::addClassPath);
    return jvm;
  }
}
