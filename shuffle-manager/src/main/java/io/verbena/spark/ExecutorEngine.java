package io.verbena.spark;

import io.verbena.conf.ExecutorMemory;
import io.verbena.conf.RdmaConf;
import io.verbena.conf.TransportKind;
import io.verbena.fetch.FetchClient;
import io.verbena.fetch.FetchLimits;
import io.verbena.fetch.FetchStats;
import io.verbena.fetch.LatencyHistogram;
import io.verbena.memory.MemoryView;
import io.verbena.migration.Arrivals;
import io.verbena.spark.RegistryMessage.LocalDirectories;
import io.verbena.store.RemoteAccess;
import io.verbena.store.ShuffleStore;
import io.verbena.store.StoreSettings;
import io.verbena.store.StoreStats;
import io.verbena.transport.Transport;
import io.verbena.transport.shm.ShmTransport;
import io.verbena.transport.verbs.VerbsStats;
import io.verbena.transport.verbs.VerbsTransport;
import java.io.File;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.apache.spark.SparkConf;
import org.apache.spark.SparkEnv;
import org.apache.spark.storage.BlockManager;
import org.apache.spark.storage.DiskBlockManager;
import org.apache.spark.util.RpcUtils;

/**
 * An executor's engine: the store of its map outputs, the client that reads those of others, and
 * its line to the registry. Started with the first task that needs it.
 *
 * <p>Threads: any.
 */
final class ExecutorEngine implements AutoCloseable {
  private final String executorId;
  private final String host;
  private final ShuffleStore store;
  private final Arrivals arrivals;
  private final FetchClient fetch;
  private final VerbsSetup verbs;
  private final BlockEncoding encoding;
  private final FetchLimits limits;
  private final FigurePusher figures;

  private ExecutorEngine(SparkEnv env, RdmaConf conf) throws IOException {
    SparkConf sparkConf = env.conf();
    BlockManager blocks = env.blockManager();
    this.executorId = env.executorId();
    this.host = blocks.blockManagerId().host();
    this.limits = limits(sparkConf, conf);
    RegistryClient registry =
        new RegistryClient(
            RpcUtils.makeDriverRef(RegistryEndpoint.NAME, sparkConf, env.rpcEnv()),
            executorId,
            conf.registryTimeout());
    LocalDirectories local = localDirectories(blocks.diskBlockManager());
    this.verbs = VerbsSetup.open(env, conf, local);
    try {
      this.store = ShuffleStore.open(storeSettings(env, conf, local, registry, verbs.transport()));
    } catch (IOException | RuntimeException e) {
      verbs.close();
      throw e;
    }
    List<Transport> transports = transports(conf, verbs.transport());
    boolean netty = conf.transports().contains(TransportKind.NETTY);
    try {
      registry.register(host, store.descriptor(), local);
      this.fetch =
          new FetchClient(
              executorId,
              store,
              transports,
              netty ? new NettyBlockService(blocks.blockStoreClient()) : null,
              registry,
              conf.receiveLimit(),
              Math.toIntExact(conf.chunkSize()));
    } catch (IOException | RuntimeException e) {
      verbs.close();
      store.close();
      throw e;
    }
    this.arrivals = new Arrivals(store);
    this.encoding =
        new BlockEncoding(
            sparkConf,
            conf,
            env.serializerManager(),
            store::stats,
            netty && verbs.transport() == null && !blocks.blockManagerId().isDriver(),
            registry::severalHosts);
    this.figures = new FigurePusher(this::figures, registry::push);
    env.metricsSystem().registerSource(new ShuffleSource(new Live()));
    StartLine.log(
        executorId, host, store.poolChoice(), names(transports, netty), verbs, encoding.choice());
  }

  /**
   * Starts the engine of this process.
   *
   * @throws IOException when no backing is usable or the registry does not answer
   */
  static ExecutorEngine start(SparkEnv env, RdmaConf conf) throws IOException {
    if (!conf.boundsChecks()) {
      // Read once, when the class is first used.
      System.setProperty(MemoryView.BOUNDS_CHECKS_PROPERTY, "false");
    }
    return new ExecutorEngine(env, conf);
  }

  private static StoreSettings storeSettings(
      SparkEnv env,
      RdmaConf conf,
      LocalDirectories local,
      RegistryClient registry,
      VerbsTransport verbs) {
    SparkConf sparkConf = env.conf();
    DiskBlockManager disk = env.blockManager().diskBlockManager();
    return new StoreSettings(
        sparkConf.getAppId() + "-" + env.executorId(),
        conf.poolLimit().orElse(0),
        ExecutorMemory.read(SparkSettings.of(sparkConf)).overhead(),
        Math.toIntExact(conf.poolRegionSize()),
        Math.toIntExact(conf.chunkSize()),
        conf.poolBackings().stream().map(kind -> kind.name().toLowerCase(Locale.ROOT)).toList(),
        conf.poolDirectories(),
        local.paths().stream().map(Path::of).toList(),
        conf.poolPrefault(),
        // Spark makes the folder; readers on this host compute the same path.
        (shuffle, map, run) -> disk.getFile(RunPaths.name(shuffle, map, run)).toPath(),
        registry::announce,
        verbs == null ? RemoteAccess.NONE : verbs);
  }

  private static LocalDirectories localDirectories(DiskBlockManager disk) {
    return new LocalDirectories(
        Arrays.stream(disk.localDirs()).map(File::getAbsolutePath).toList(),
        disk.subDirsPerLocalDir());
  }

  /** One-sided transports in the order of preference; {@code netty} stands behind them. */
  private static List<Transport> transports(RdmaConf conf, VerbsTransport verbs) {
    List<Transport> transports = new ArrayList<>();
    for (TransportKind kind : conf.transports()) {
      if (kind == TransportKind.SHM) {
        transports.add(new ShmTransport(ShmTransport.Mode.valueOf(conf.shmMode().name())));
      } else if (kind == TransportKind.VERBS && verbs != null) {
        transports.add(verbs);
      }
    }
    return transports;
  }

  private static List<String> names(List<Transport> transports, boolean netty) {
    List<String> names = new ArrayList<>(transports.stream().map(Transport::name).toList());
    if (netty) {
      names.add("netty");
    }
    return names;
  }

  private static FetchLimits limits(SparkConf sparkConf, RdmaConf conf) {
    return new FetchLimits(
        sparkConf.getSizeAsMb("spark.reducer.maxSizeInFlight", "48m") << 20,
        sparkConf.getInt("spark.reducer.maxReqsInFlight", Integer.MAX_VALUE),
        sparkConf.getInt("spark.reducer.maxBlocksInFlightPerAddress", Integer.MAX_VALUE),
        conf.fetchTimeout());
  }

  ShuffleStore store() {
    return store;
  }

  /** Map outputs that come from executors that are decommissioned. */
  Arrivals arrivals() {
    return arrivals;
  }

  FetchClient fetch() {
    return fetch;
  }

  FetchLimits limits() {
    return limits;
  }

  BlockEncoding encoding() {
    return encoding;
  }

  /** A task that wrote or read has ended. */
  void taskEnded() {
    figures.taskEnded();
  }

  ExecutorFigures figures() {
    return new ExecutorFigures(
        executorId, host, store.stats(), fetch.stats(), verbs.stats(), ServingCpu.nanos());
  }

  /** Figures for metrics, each by itself. */
  private final class Live implements ShuffleFigures {
    @Override
    public StoreStats store() {
      return store.stats();
    }

    @Override
    public FetchStats fetch() {
      return fetch.stats();
    }

    @Override
    public VerbsStats verbs() {
      return verbs.stats();
    }

    @Override
    public long servingCpuNanos() {
      return ServingCpu.nanos();
    }

    @Override
    public Optional<LatencyHistogram> latency(String transport) {
      return fetch.latency(transport);
    }
  }

  void removeShuffle(int shuffleId) {
    fetch.forgetShuffle(shuffleId);
    store.removeShuffle(shuffleId);
  }

  /** Idempotent. */
  @Override
  public void close() {
    try (store;
        fetch) {
      figures.close();
    }
  }
}
