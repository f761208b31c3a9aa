package io.verbena.doctor;

import io.verbena.conf.ExecutorMemory;
import io.verbena.conf.RdmaConf;
import io.verbena.conf.TransportKind;
import io.verbena.memory.Backing;
import io.verbena.memory.PoolForecast;
import io.verbena.memory.PoolSettings;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/**
 * The job that is to run: its settings, and what its executors' pool would be on the host.
 *
 * @param settings as given
 * @param rdma the shuffle's own settings
 * @param memory of an executor
 * @param localDirectories where Spark's local files go
 * @param pool what the pool would be
 */
record Job(
    Map<String, String> settings,
    RdmaConf rdma,
    ExecutorMemory memory,
    List<Path> localDirectories,
    PoolForecast pool) {
  static Job of(Host host, Map<String, String> settings, RdmaConf rdma, ExecutorMemory memory) {
    List<Path> local = localDirectories(host, settings);
    PoolSettings pool =
        new PoolSettings(
            "doctor",
            new UUID(0, 0),
            rdma.poolLimit().orElse(0),
            memory.overhead(),
            Math.toIntExact(rdma.poolRegionSize()),
            rdma.poolBackings().stream().map(kind -> Backing.valueOf(kind.name())).toList(),
            rdma.poolDirectories(),
            local,
            false,
            true);
    return new Job(
        settings, rdma, memory, local, PoolForecast.of(host.files(), pool, memory.heap()));
  }

  /** As Spark looks for them. */
  private static List<Path> localDirectories(Host host, Map<String, String> settings) {
    String given = settings.getOrDefault("spark.local.dir", host.property("java.io.tmpdir"));
    for (String variable : List.of("SPARK_LOCAL_DIRS", "LOCAL_DIRS")) {
      given = host.env().getOrDefault(variable, given);
    }
    return List.of(given.split(",", -1)).stream()
        .map(String::strip)
        .filter(folder -> !folder.isEmpty())
        .map(Path::of)
        .toList();
  }

  boolean wants(TransportKind transport) {
    return rdma.transports().contains(transport);
  }

  /** Where regions would lie; null when no backing has room. */
  PoolForecast.Spot spot() {
    return pool.spots().stream().filter(PoolForecast.Spot::usable).findFirst().orElse(null);
  }
}
