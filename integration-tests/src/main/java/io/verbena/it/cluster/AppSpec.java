package io.verbena.it.cluster;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * An application to submit to a {@link StandaloneCluster}. Immutable; made by {@link #builder}.
 *
 * @param mainClass name of the class with the main method
 * @param jar the application's jar
 * @param args arguments of the main method
 * @param conf Spark options, as {@code --conf} gives them
 * @param jars further jars, as {@code --jars} gives them
 * @param driverClassPath entries that come before Spark's own on the driver's class path
 * @param driverMemory heap of the driver, in Spark's notation
 * @param driverOptions options of the driver's JVM
 * @param env environment variables of the driver
 * @param limit time within which the application must end
 */
public record AppSpec(
    String mainClass,
    Path jar,
    List<String> args,
    Map<String, String> conf,
    List<Path> jars,
    List<Path> driverClassPath,
    String driverMemory,
    List<String> driverOptions,
    Map<String, String> env,
    Duration limit) {

  /** Class name of the shuffle manager, as users write it in {@code spark.shuffle.manager}. */
  public static final String VERBENA_MANAGER = "io.verbena.spark.RdmaShuffleManager";

  /** Options of JVMs that start with little effort and run slow code. */
  public static final List<String> QUICK_START =
      List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC");

  /** An application with a driver of 1 GiB and executors of 1 GiB that may take five minutes. */
  public static Builder builder(Path jar, String mainClass) {
    return new Builder(jar, mainClass);
  }

  /** Collects an {@link AppSpec}. */
  public static final class Builder {
    private final String mainClass;
    private final Path jar;
    private final List<String> args = new ArrayList<>();
    private final Map<String, String> conf = new LinkedHashMap<>();
    private final List<Path> jars = new ArrayList<>();
    private final List<Path> driverClassPath = new ArrayList<>();
    private String driverMemory = "1g";
    private final List<String> driverOptions = new ArrayList<>();
    private final Map<String, String> env = new LinkedHashMap<>();
    private Duration limit = Duration.ofMinutes(5);

    private Builder(Path jar, String mainClass) {
      this.jar = jar;
      this.mainClass = mainClass;
    }

    /** Appends arguments of the main method. */
    public Builder args(String... values) {
      args.addAll(List.of(values));
      return this;
    }

    /** Sets a Spark option; a later value of the same key wins. */
    public Builder conf(String key, String value) {
      conf.put(key, value);
      return this;
    }

    /** Sets Spark options; a later value of the same key wins. */
    public Builder conf(Map<String, String> values) {
      conf.putAll(values);
      return this;
    }

    /** Appends a jar to {@code --jars}. */
    public Builder addJar(Path path) {
      jars.add(path);
      return this;
    }

    /** What a user does to switch this project on: its jar and {@code spark.shuffle.manager}. */
    public Builder onVerbena() {
      return addJar(ProjectJars.verbena()).conf("spark.shuffle.manager", VERBENA_MANAGER);
    }

    /**
     * JVMs that start with little effort and run slow code, for tests that compute next to nothing.
     * Sets {@code spark.executor.extraJavaOptions}.
     */
    public Builder quickStart() {
      driverOptions.addAll(QUICK_START);
      return conf("spark.executor.extraJavaOptions", String.join(" ", QUICK_START));
    }

    /** Puts an entry before Spark's jars on the driver's class path. */
    public Builder addDriverClassPath(Path path) {
      driverClassPath.add(path);
      return this;
    }

    /** Heap of the driver, such as {@code 1g}, the default. */
    public Builder driverMemory(String value) {
      driverMemory = value;
      return this;
    }

    /** Heap of each executor, such as {@code 1g}, Spark's default. */
    public Builder executorMemory(String value) {
      return conf("spark.executor.memory", value);
    }

    /** Appends an option of the driver's JVM. */
    public Builder addDriverOption(String option) {
      driverOptions.add(option);
      return this;
    }

    /** Sets an environment variable of the driver. */
    public Builder env(String name, String value) {
      env.put(name, value);
      return this;
    }

    /** Time within which {@link StandaloneCluster#submit} expects the end; default 5 min. */
    public Builder limit(Duration value) {
      limit = value;
      return this;
    }

    public AppSpec build() {
      return new AppSpec(
          mainClass,
          jar,
          List.copyOf(args),
          Map.copyOf(conf),
          List.copyOf(jars),
          List.copyOf(driverClassPath),
          driverMemory,
          List.copyOf(driverOptions),
          Map.copyOf(env),
          limit);
    }
  }
}
