package io.verbena.spark;

import io.verbena.conf.RdmaConf;
import io.verbena.log.KeyedLogger;
import io.verbena.spark.shim.BlockResolvers;
import io.verbena.store.ShuffleLease;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Optional;
import org.apache.spark.MapOutputTrackerMaster;
import org.apache.spark.ShuffleDependency;
import org.apache.spark.SparkConf;
import org.apache.spark.SparkEnv;
import org.apache.spark.TaskContext;
import org.apache.spark.network.buffer.ManagedBuffer;
import org.apache.spark.shuffle.BaseShuffleHandle;
import org.apache.spark.shuffle.IndexShuffleBlockResolver;
import org.apache.spark.shuffle.ShuffleHandle;
import org.apache.spark.shuffle.ShuffleReadMetricsReporter;
import org.apache.spark.shuffle.ShuffleReader;
import org.apache.spark.shuffle.ShuffleWriteMetricsReporter;
import org.apache.spark.shuffle.ShuffleWriter;
import org.apache.spark.shuffle.sort.SortShuffleManager;
import org.apache.spark.storage.BlockId;
import org.apache.spark.storage.ShuffleBlockId;
import org.apache.spark.util.TaskCompletionListener;

/**
 * The shuffle manager: set {@code spark.shuffle.manager=io.verbena.spark.RdmaShuffleManager}. Map
 * outputs go into memory that other executors read one-sidedly.
 *
 * <p>It is a {@link SortShuffleManager} because Spark SQL copies every row before any other. It
 * honours that class's terms: records are serialised at once and never kept as objects, where SQL
 * relies on it.
 *
 * <p>Nothing but the configuration is touched before the first shuffle is registered (driver) or
 * the first task writes or reads (executor); in local mode one instance is both.
 *
 * <p>Threads: any.
 */
public final class RdmaShuffleManager extends SortShuffleManager {
  private static final KeyedLogger LOG = KeyedLogger.of(RdmaShuffleManager.class);

  /**
   * How long the driver waits for the last figures of executors that are ending, milliseconds. They
   * take a fifth of a second, and on a host that stalls for a moment some.
   */
  private static final long LAST_FIGURES_MILLIS = 5_000;

  private final RdmaConf conf;
  private final MapOutputMigration migration;
  private final IndexShuffleBlockResolver resolver;
  private final int mostStreams;
  private Registry registry;
  private Optional<FigureFeed> feed = Optional.empty();
  private ExecutorEngine engine;
  private Thread shutdownHook;
  private boolean stopped;
  private boolean exiting;

  /**
   * Called by Spark.
   *
   * @throws IllegalArgumentException when an option has a value that is not allowed, or Spark is
   *     told to do what this manager cannot serve; the message says what to change
   */
  public RdmaShuffleManager(SparkConf sparkConf, boolean isDriver) {
    super(sparkConf);
    RefusedSettings.check(sparkConf);
    this.conf = RdmaConf.read(SparkSettings.of(sparkConf));
    this.mostStreams = sparkConf.getInt("spark.shuffle.sort.bypassMergeThreshold", 200);
    this.migration =
        new MapOutputMigration(
            sparkConf, () -> Optional.ofNullable(engineOrNull()), this::startEngine, this::lease);
    this.resolver = BlockResolvers.of(sparkConf, this::framedBlock, migration);
  }

  @Override
  public <K, V, C> ShuffleHandle registerShuffle(
      int shuffleId, ShuffleDependency<K, V, C> dependency) {
    startRegistry();
    WriteMode mode =
        WriteMode.choose(
            dependency.serializer().supportsRelocationOfSerializedObjects(),
            dependency.mapSideCombine(),
            dependency.partitioner().numPartitions(),
            mostStreams);
    return new RdmaShuffleHandle<>(shuffleId, dependency, mode);
  }

  private synchronized void startRegistry() {
    if (registry != null || stopped) {
      return;
    }
    SparkEnv env = SparkEnv.get();
    MapOutputTrackerMaster tracker = (MapOutputTrackerMaster) env.mapOutputTracker();
    Optional<FigureFeed> events = DriverEvents.start(this::lastFigures);
    feed = events;
    registry =
        new Registry(
            tracker::containsShuffle,
            figures -> events.ifPresent(each -> each.changed(figures)),
            new ExecutorHosts(env.blockManager().blockManagerId()));
    env.rpcEnv().setupEndpoint(RegistryEndpoint.NAME, new RegistryEndpoint(env.rpcEnv(), registry));
    LOG.info("RDMA shuffle with {}", conf);
  }

  @Override
  public <K, V> ShuffleWriter<K, V> getWriter(
      ShuffleHandle handle, long mapId, TaskContext context, ShuffleWriteMetricsReporter metrics) {
    RdmaShuffleHandle<K, V, Object> shuffle = RdmaShuffleHandle.of(handle);
    ShuffleDependency<K, V, Object> dependency = shuffle.dependency();
    ExecutorEngine running = engineFor(context);
    MapOutputCommit commit =
        new MapOutputCommit(
            running
                .store()
                .newMapOutput(shuffle.shuffleId(), dependency.partitioner().numPartitions(), mapId),
            mapId,
            context,
            metrics);
    BlockEncoding encoding = running.encoding();
    return switch (shuffle.mode()) {
      case MOVED_BYTES ->
          new SerializedShuffleWriter<>(dependency, context, metrics, commit, encoding);
      case STREAM_PER_PARTITION ->
          new StreamShuffleWriter<>(dependency, context, metrics, commit, encoding);
      case SORTED_OBJECTS ->
          new SortedShuffleWriter<>(dependency, context, metrics, commit, encoding);
    };
  }

  @Override
  public <K, C> ShuffleReader<K, C> getReader(
      ShuffleHandle handle,
      int startMapIndex,
      int endMapIndex,
      int startPartition,
      int endPartition,
      TaskContext context,
      ShuffleReadMetricsReporter reporter) {
    BaseShuffleHandle<K, Object, C> shuffle = RdmaShuffleHandle.of(handle);
    ShuffleDependency<K, Object, C> dependency = shuffle.dependency();
    int shuffleId = shuffle.shuffleId();
    ExecutorEngine running = engineFor(context);
    WantedBlocks wanted =
        new WantedBlocks(
            shuffleId,
            SparkEnv.get()
                .mapOutputTracker()
                .getMapSizesByExecutorId(
                    shuffleId, startMapIndex, endMapIndex, startPartition, endPartition));
    boolean batched =
        BatchFetch.applies(
            SparkEnv.get().conf(), dependency.serializer(), startPartition, endPartition, context);
    ReadMetrics metrics = new ReadMetrics(reporter, batched);
    return new RdmaShuffleReader<>(
        dependency,
        context,
        () ->
            new RecordIterator(
                wanted,
                running.fetch().fetch(shuffleId, wanted.peers(), running.limits(), metrics),
                running.encoding(),
                RecordCodec.of(dependency.serializer().newInstance()),
                dependency.serializer().supportsRelocationOfSerializedObjects(),
                metrics,
                () -> context.taskMetrics().mergeShuffleReadMetrics()));
  }

  private ExecutorEngine engineFor(TaskContext context) {
    ExecutorEngine running = startEngine();
    TaskCompletionListener report = ended -> running.taskEnded();
    context.addTaskCompletionListener(report);
    return running;
  }

  synchronized ExecutorEngine startEngine() {
    if (stopped) {
      throw new IllegalStateException("The shuffle manager has been stopped");
    }
    if (exiting) {
      throw new IllegalStateException("The JVM is shutting down");
    }
    if (engine == null) {
      // Before there is anything to remove, so that nothing is left whenever the end comes.
      if (shutdownHook == null) {
        shutdownHook = new Thread(this::closeAtExit, "verbena-shutdown");
        Runtime.getRuntime().addShutdownHook(shutdownHook);
      }
      try {
        engine = ExecutorEngine.start(SparkEnv.get(), conf);
      } catch (IOException e) {
        throw new UncheckedIOException("The RDMA shuffle did not start: " + e.getMessage(), e);
      }
    }
    return engine;
  }

  /** For an executor that ends without Spark's own order of things. */
  private void closeAtExit() {
    ExecutorEngine running;
    synchronized (this) {
      exiting = true;
      running = engine;
    }
    if (running != null) {
      running.close();
    }
  }

  private synchronized ExecutorEngine engineOrNull() {
    return engine;
  }

  /** For tests. */
  ExecutorFigures engineFigures() {
    return engineOrNull().figures();
  }

  private ManagedBuffer framedBlock(BlockId id) {
    if (!(id instanceof ShuffleBlockId block)) {
      throw new IllegalStateException(id + " is no block of this shuffle manager");
    }
    try {
      return new OfferedBlock(block, this::lease);
    } catch (IOException e) {
      throw new UncheckedIOException(id + ": " + e.getMessage(), e);
    }
  }

  private ShuffleLease lease(int shuffleId) throws IOException {
    return Optional.ofNullable(engineOrNull())
        .flatMap(running -> running.store().lease(shuffleId))
        .orElseThrow(() -> new IOException("nothing of shuffle " + shuffleId + " is here"));
  }

  @Override
  public boolean unregisterShuffle(int shuffleId) {
    Registry known;
    ExecutorEngine running;
    synchronized (this) {
      known = registry;
      running = engine;
    }
    migration.forget(shuffleId);
    if (known != null) {
      known.removeShuffle(shuffleId);
    }
    if (running != null) {
      running.removeShuffle(shuffleId);
    }
    return true;
  }

  @Override
  public IndexShuffleBlockResolver shuffleBlockResolver() {
    return resolver;
  }

  @Override
  public void stop() {
    Registry known;
    ExecutorEngine running;
    Optional<FigureFeed> events;
    synchronized (this) {
      if (stopped) {
        return;
      }
      stopped = true;
      known = registry;
      running = engine;
      events = feed;
    }
    if (running != null) {
      running.close();
    }
    removeHook();
    if (known != null) {
      events.ifPresent(FigureFeed::close);
      // Spark's RPC ends right after this, and the endpoint with it.
      report(known);
    }
  }

  /** All figures as the application ends; those of other processes may take a moment. */
  private List<ExecutorFigures> lastFigures() throws InterruptedException {
    Registry known;
    ExecutorEngine running;
    synchronized (this) {
      known = registry;
      running = engine;
    }
    if (running != null) {
      // Local mode: the engine ends only with this manager.
      return List.of(running.figures());
    }
    return known.lastFigures(LAST_FIGURES_MILLIS);
  }

  private void removeHook() {
    Thread hook;
    synchronized (this) {
      hook = shutdownHook;
    }
    if (hook != null) {
      try {
        Runtime.getRuntime().removeShutdownHook(hook);
      } catch (IllegalStateException e) {
        LOG.debug("The JVM is shutting down, its hook closes the engine once more", e);
      }
    }
  }

  private static void report(Registry registry) {
    try {
      ShuffleReport.log(registry.lastFigures(LAST_FIGURES_MILLIS));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      LOG.info("No shuffle report: interrupted while waiting for executors");
    }
  }
}
