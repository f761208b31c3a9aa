package io.verbena.conf;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;

/**
 * Checked values of all settings of one application. Immutable and safe to share between threads; a
 * component reads what it needs when it is made, since no value changes later.
 */
public final class RdmaConf {
  private final Settings settings;

  private RdmaConf(Settings settings) {
    this.settings = settings;
  }

  /**
   * Reads every setting once and checks them together.
   *
   * @param sparkConf the application's whole configuration; keys outside {@link RdmaOptions#PREFIX}
   *     are ignored, but for those of Spark that ours must agree with
   * @throws InvalidConfException if a value is not allowed, values contradict one another or a key
   *     is unknown; it tells all of them
   */
  public static RdmaConf read(Map<String, String> sparkConf) {
    Settings settings = new Settings(sparkConf);
    CrossChecks.run(settings, sparkConf);
    if (!settings.problems().isEmpty()) {
      throw new InvalidConfException(settings.problems());
    }
    return new RdmaConf(settings);
  }

  /** The values of a configuration that sets nothing. */
  public static RdmaConf defaults() {
    return read(Map.of());
  }

  /** Transports that may be used, best first: at least one, none twice. */
  public List<TransportKind> transports() {
    return settings.get(RdmaOptions.TRANSPORTS);
  }

  /** How the {@code shm} transport reads the region files of another executor. */
  public ShmMode shmMode() {
    return settings.get(RdmaOptions.SHM_MODE);
  }

  /** Name of the RDMA device to use; empty: choose one. */
  public String verbsDevice() {
    return settings.get(RdmaOptions.VERBS_DEVICE);
  }

  /** Address of this host through which the RDMA device is used; empty: choose one. */
  public String verbsAddress() {
    return settings.get(RdmaOptions.VERBS_ADDRESS);
  }

  /** Most READs of one connection that are posted at a time. */
  public int verbsQueueDepth() {
    return settings.get(RdmaOptions.VERBS_QUEUE_DEPTH);
  }

  /** Deadline of connecting to one executor. */
  public Duration verbsConnectTimeout() {
    return settings.get(RdmaOptions.VERBS_CONNECT_TIMEOUT);
  }

  /** Time without READs after which a connection is closed. */
  public Duration verbsIdleTimeout() {
    return settings.get(RdmaOptions.VERBS_IDLE_TIMEOUT);
  }

  /** How long completions are looked for before the poller sleeps. */
  public Duration verbsSpin() {
    return settings.get(RdmaOptions.VERBS_SPIN);
  }

  /** Hard limit of the executor's pool in bytes, at least one region; empty: derive it. */
  public OptionalLong poolLimit() {
    return settings.get(RdmaOptions.POOL_LIMIT);
  }

  /** Size of one region in bytes, a power of two. */
  public long poolRegionSize() {
    return settings.get(RdmaOptions.POOL_REGION_SIZE);
  }

  /** What regions may lie on, best first: at least one, none twice. */
  public List<BackingKind> poolBackings() {
    return settings.get(RdmaOptions.POOL_BACKINGS);
  }

  /** Directories for the memory backings, absolute and none twice; empty: detect mounts. */
  public List<Path> poolDirectories() {
    return settings.get(RdmaOptions.POOL_DIRECTORIES);
  }

  /** Whether the next region is prepared in the background. */
  public boolean poolPrefault() {
    return settings.get(RdmaOptions.POOL_PREFAULT);
  }

  /**
   * Size in bytes of the pieces in which a larger block is stored and checked: a power of two, at
   * most 1/{@value RdmaOptions#EXTENTS_PER_REGION} of {@link #poolRegionSize()}.
   */
  public long chunkSize() {
    return settings.get(RdmaOptions.CHUNK_SIZE);
  }

  /**
   * When map outputs are compressed. Holds only where {@code spark.shuffle.compress} gives leave:
   * with that off the answer here is never {@link CompressMode#ALWAYS}, but may be {@link
   * CompressMode#AUTO}.
   */
  public CompressMode compress() {
    return settings.get(RdmaOptions.COMPRESS);
  }

  /** Share of the pool's limit in percent, 0 to 100, from which {@code auto} compresses. */
  public int compressPoolThreshold() {
    return settings.get(RdmaOptions.COMPRESS_POOL_THRESHOLD);
  }

  /** Deadline of one READ or one request to another executor. */
  public Duration fetchTimeout() {
    return settings.get(RdmaOptions.FETCH_TIMEOUT);
  }

  /** Deadline of one call to the registry on the driver. */
  public Duration registryTimeout() {
    return settings.get(RdmaOptions.REGISTRY_TIMEOUT);
  }

  /**
   * Most bytes of receive buffers per executor, at least {@value RdmaOptions#MIN_RECEIVE_CHUNKS}
   * times {@link #chunkSize()}.
   */
  public long receiveLimit() {
    return settings.get(RdmaOptions.RECEIVE_LIMIT);
  }

  /** Whether accesses to raw memory are checked against their bounds. */
  public boolean boundsChecks() {
    return settings.get(RdmaOptions.BOUNDS_CHECKS);
  }

  /** The settings that the user gave, for one line in the log; all others have their defaults. */
  @Override
  public String toString() {
    return "RdmaConf" + settings.given();
  }
}
