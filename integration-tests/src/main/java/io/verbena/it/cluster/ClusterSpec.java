package io.verbena.it.cluster;

import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * What a {@link StandaloneCluster} shall look like. Immutable; made by {@link #builder()}.
 *
 * @param home the jars that all its processes run on
 * @param java what all its processes are started with
 * @param workers number of workers
 * @param workerCores cores that each worker offers
 * @param workerMemory memory that each worker offers, in Spark's notation
 * @param startLimit time within which master and workers must be up
 * @param environments environment variables of a worker and so of its executors, by worker index
 * @param prefixes words put before the command line of a worker, by worker index
 * @param conf Spark options of master and workers
 * @param localRoot folder for a folder with the workers' {@code spark.local.dir}; empty for the
 *     cluster's own
 * @param hosts addresses of workers that are not at 127.0.0.1, by worker index
 */
public record ClusterSpec(
    SparkHome home,
    JavaHome java,
    int workers,
    int workerCores,
    String workerMemory,
    Duration startLimit,
    Map<Integer, Map<String, String>> environments,
    Map<Integer, List<String>> prefixes,
    Map<String, String> conf,
    Optional<Path> localRoot,
    Map<Integer, String> hosts) {

  /** Two workers of one core and 2 GiB each, on the home that the build made. */
  public static Builder builder() {
    return new Builder();
  }

  /** Collects a {@link ClusterSpec}. */
  public static final class Builder {
    private SparkHome home;
    private JavaHome java;
    private int workers = 2;
    private int workerCores = 1;
    private String workerMemory = "2g";
    private Duration startLimit = Duration.ofMinutes(3);
    private final Map<Integer, Map<String, String>> environments = new TreeMap<>();
    private final Map<Integer, List<String>> prefixes = new TreeMap<>();
    private final Map<String, String> conf = new LinkedHashMap<>();
    private Optional<Path> localRoot = Optional.empty();
    private final Map<Integer, String> hosts = new TreeMap<>();

    private Builder() {}

    /** The jars that all processes of the cluster run on; default {@link SparkHome#locate()}. */
    public Builder home(SparkHome value) {
      home = value;
      return this;
    }

    /** Java of all processes of the cluster; default the one that runs this code. */
    public Builder java(JavaHome value) {
      java = value;
      return this;
    }

    /** Number of workers; default 2. */
    public Builder workers(int value) {
      workers = value;
      return this;
    }

    /** Cores that each worker offers to executors; default 1. */
    public Builder workerCores(int value) {
      workerCores = value;
      return this;
    }

    /** Memory that each worker offers to executors, such as {@code 2g}, the default. */
    public Builder workerMemory(String value) {
      workerMemory = value;
      return this;
    }

    /** Time within which master and workers must be up; default 3 min. */
    public Builder startLimit(Duration value) {
      startLimit = value;
      return this;
    }

    /** An environment variable of one worker, which its executors inherit. */
    public Builder workerEnv(int worker, String name, String value) {
      environments.computeIfAbsent(worker, w -> new LinkedHashMap<>()).put(name, value);
      return this;
    }

    /**
     * Words to put before one worker's command line, such as those of {@link Namespaces}. They must
     * end in the worker's process taking their place, as {@code exec} does.
     */
    public Builder workerPrefix(int worker, List<String> prefix) {
      prefixes.put(worker, List.copyOf(prefix));
      return this;
    }

    /** A Spark option of master and workers; those of an application are its own. */
    public Builder conf(String key, String value) {
      conf.put(key, value);
      return this;
    }

    /**
     * An existing folder, such as {@code /dev/shm}: the workers' {@code spark.local.dir} will be in
     * a folder in it, which goes with the cluster.
     */
    public Builder localRoot(Path folder) {
      localRoot = Optional.of(folder);
      return this;
    }

    /**
     * The address of one worker and its executors, such as {@code 127.0.0.2}: a host of its own.
     */
    public Builder workerHost(int worker, String address) {
      hosts.put(worker, address);
      return workerEnv(worker, "SPARK_LOCAL_IP", address);
    }

    /**
     * The specification.
     *
     * @throws IllegalArgumentException when a number is below 1 or a worker index is out of range
     */
    public ClusterSpec build() {
      if (workers < 1 || workerCores < 1) {
        throw new IllegalArgumentException(
            "workers=%d and workerCores=%d must be at least 1".formatted(workers, workerCores));
      }
      environments.keySet().forEach(this::checkIndex);
      prefixes.keySet().forEach(this::checkIndex);
      return new ClusterSpec(
          home == null ? SparkHome.locate() : home,
          java == null ? JavaHome.current() : java,
          workers,
          workerCores,
          workerMemory,
          startLimit,
          Map.copyOf(environments),
          Map.copyOf(prefixes),
          Map.copyOf(conf),
          localRoot,
          Map.copyOf(hosts));
    }

    private void checkIndex(int worker) {
      if (worker < 0 || worker >= workers) {
        throw new IllegalArgumentException(
            "worker %d does not exist: they are numbered 0 to %d".formatted(worker, workers - 1));
      }
    }
  }
}
