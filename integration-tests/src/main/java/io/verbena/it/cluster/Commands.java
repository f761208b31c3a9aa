package io.verbena.it.cluster;

import java.io.File;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** Command lines and environments of Spark's processes, without Spark's shell scripts. */
final class Commands {
  /** Environment variable that all processes of a cluster inherit: the path of its folder. */
  static final String CLUSTER_ENV = "VERBENA_CLUSTER";

  /** Environment variable that a worker and its executors inherit: the worker's index. */
  static final String WORKER_ENV = "VERBENA_WORKER";

  private static final String EXECUTOR_OPTIONS = "spark.executor.extraJavaOptions";
  private static final String LOOPBACK = "127.0.0.1";

  private final SparkHome home;
  private final JavaHome java;
  private final ClusterFiles files;
  private final List<String> archive;

  Commands(SparkHome home, JavaHome java, ClusterFiles files, List<String> archive) {
    this.home = home;
    this.java = java;
    this.files = files;
    this.archive = archive;
  }

  Map<String, String> env() {
    Map<String, String> env = env(home, java);
    env.put(CLUSTER_ENV, files.root().toString());
    return env;
  }

  static Map<String, String> env(SparkHome home, JavaHome java) {
    Map<String, String> env = new LinkedHashMap<>();
    env.put("SPARK_HOME", home.path().toString());
    env.put("SPARK_SCALA_VERSION", home.scalaVersion());
    env.put("SPARK_CONF_DIR", ClassArchive.emptyConf(home).toString());
    env.put("SPARK_LOCAL_IP", LOOPBACK);
    env.put("JAVA_HOME", java.path().toString());
    return env;
  }

  List<String> master(ClusterSpec spec) {
    // Two masters number their applications alike, and tests look for traces of one by its id.
    String ids = "app-%s-" + ProcessHandle.current().pid() + "-%04d";
    List<String> command =
        server(
            spec,
            List.of("-Dspark.master.rest.enabled=false", "-Dspark.deploy.appIdPattern=" + ids));
    command.addAll(
        List.of(
            "org.apache.spark.deploy.master.Master",
            "--host",
            LOOPBACK,
            "--port",
            "0",
            "--webui-port",
            "0"));
    return command;
  }

  List<String> worker(int index, ClusterSpec spec, String masterUrl) {
    List<String> command = new ArrayList<>(spec.prefixes().getOrDefault(index, List.of()));
    command.addAll(server(spec, List.of("-Dspark.local.dir=" + files.workerLocal(index))));
    command.addAll(
        List.of(
            "org.apache.spark.deploy.worker.Worker",
            "--host",
            spec.hosts().getOrDefault(index, LOOPBACK),
            "--port",
            "0",
            "--webui-port",
            "0",
            "--cores",
            Integer.toString(spec.workerCores()),
            "--memory",
            spec.workerMemory(),
            "--work-dir",
            files.workerWork(index).toString(),
            masterUrl));
    return command;
  }

  /** {@code folder} is the driver's own. */
  List<String> submit(AppSpec app, ClusterSpec spec, String masterUrl, Path folder, Path logFile) {
    List<String> command = new ArrayList<>();
    command.add(java.java());
    command.add("-Xmx" + app.driverMemory());
    command.addAll(archive);
    command.addAll(home.moduleOptions());
    command.addAll(files.logging().forDriver(logFile));
    command.add("-XX:ErrorFile=" + folder.resolve("hs_err_pid%p.log"));
    command.addAll(app.driverOptions());
    command.add("-cp");
    command.add(classPath(home, app.driverClassPath()));
    command.addAll(
        List.of(
            "org.apache.spark.deploy.SparkSubmit",
            "--master",
            masterUrl,
            "--deploy-mode",
            "client",
            "--driver-memory",
            app.driverMemory(),
            "--class",
            app.mainClass()));
    if (!app.jars().isEmpty()) {
      command.add("--jars");
      command.add(app.jars().stream().map(Path::toString).collect(Collectors.joining(",")));
    }
    Map<String, String> conf = new LinkedHashMap<>(defaults(spec));
    conf.putAll(app.conf());
    conf.merge(
        EXECUTOR_OPTIONS, String.join(" ", executorOptions()), (own, ours) -> ours + " " + own);
    conf.forEach((key, value) -> command.addAll(List.of("--conf", key + "=" + value)));
    command.add(app.jar().toString());
    command.addAll(app.args());
    return command;
  }

  /** What every application gets unless it says otherwise. */
  private static Map<String, String> defaults(ClusterSpec spec) {
    Map<String, String> conf = new LinkedHashMap<>();
    conf.put("spark.driver.host", LOOPBACK);
    conf.put("spark.driver.bindAddress", LOOPBACK);
    conf.put("spark.ui.enabled", "false");
    conf.put("spark.ui.showConsoleProgress", "false");
    // Tasks start when all executors are there, or late enough that whoever waits has given up: who
    // holds which map output does not depend on which JVM came up first.
    conf.put("spark.cores.max", Integer.toString(spec.workers() * spec.workerCores()));
    conf.put("spark.scheduler.minRegisteredResourcesRatio", "1.0");
    conf.put("spark.scheduler.maxRegisteredResourcesWaitingTime", "300s");
    conf.put(Executors.COUNT, Integer.toString(spec.workers()));
    return conf;
  }

  private List<String> executorOptions() {
    List<String> options = new ArrayList<>(archive);
    options.add(files.logging().forServer());
    return options;
  }

  private List<String> server(ClusterSpec spec, List<String> options) {
    // They do little, so a quick start is worth more than fast code.
    List<String> command = new ArrayList<>(List.of(java.java(), "-Xmx256m"));
    command.addAll(AppSpec.QUICK_START);
    command.addAll(archive);
    command.addAll(home.moduleOptions());
    command.add(files.logging().forServer());
    command.addAll(options);
    spec.conf().forEach((key, value) -> command.add("-D" + key + "=" + value));
    command.add("-cp");
    command.add(classPath(home, List.of()));
    return command;
  }

  /**
   * The class path that workers give their executors, so that all JVMs can use one archive; nothing
   * or one's own entries come first.
   */
  static String classPath(SparkHome home, List<Path> first) {
    Path jars = home.path().resolve("jars");
    List<String> entries = new ArrayList<>();
    first.forEach(path -> entries.add(path.toString()));
    entries.add(ClassArchive.emptyConf(home) + File.separator);
    home.jar("slf4j-api").ifPresent(path -> entries.add(path.toString()));
    entries.add(jars + File.separator + "*");
    return String.join(File.pathSeparator, entries);
  }
}
