package io.verbena.store;

import io.verbena.log.KeyedLogger;
import io.verbena.memory.Backing;
import io.verbena.memory.ExtentList;
import io.verbena.memory.MemoryView;
import io.verbena.memory.NativeBuffer;
import io.verbena.memory.Pool;
import io.verbena.memory.PoolChoice;
import io.verbena.memory.PoolSettings;
import io.verbena.memory.PoolStats;
import io.verbena.memory.StagingBuffers;
import io.verbena.table.Control;
import io.verbena.table.ControlWriter;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;

/**
 * All map outputs that this executor holds: the pool, the control area and the location table of
 * every shuffle. One per process.
 *
 * <p>Threads: all methods may be called from any thread.
 */
public final class ShuffleStore implements AutoCloseable {
  private static final KeyedLogger LOG = KeyedLogger.of(ShuffleStore.class);

  private static final int MIN_STAGING = 1 << 20;
  private static final long OPEN_DEADLINE_SECONDS = 120;

  private final StoreSettings settings;
  private final UUID nonce;
  private final Pool pool;
  private final ControlWriter control;
  private final StoreDescriptor descriptor;
  private final StagingBuffers staging;
  private final RunFiles files;
  private final Shuffles shuffles;
  private final AtomicLong runsInPool = new AtomicLong();
  private final AtomicLong runsOnDisk = new AtomicLong();

  private ShuffleStore(StoreSettings settings, UUID nonce, Pool pool) throws IOException {
    this.settings = settings;
    this.nonce = nonce;
    this.pool = pool;
    MemoryView area = pool.createFile(StoreDescriptor.CONTROL_FILE, Control.size());
    this.control =
        new ControlWriter(area, nonce.getMostSignificantBits(), nonce.getLeastSignificantBits());
    this.descriptor =
        new StoreDescriptor(
            nonce.getMostSignificantBits(),
            nonce.getLeastSignificantBits(),
            pool.directories().stream().map(Path::toString).toList(),
            settings.chunkSize(),
            settings.remote().addresses());
    settings.remote().serve(descriptor.nonceHigh(), descriptor.nonceLow(), area);
    this.staging =
        new StagingBuffers(Math.max(settings.chunkSize(), Math.min(MIN_STAGING, pool.maxExtent())));
    this.files = new RunFiles(settings.runFiles());
    this.shuffles = new Shuffles(toString(), control, pool, files);
  }

  /**
   * Makes the executor's directories, its control area and its pool, and removes what dead
   * processes of this user left in the same places.
   *
   * @throws IOException when no backing can hold even the control area
   */
  public static ShuffleStore open(StoreSettings settings) throws IOException {
    // Task threads open stores, and an interrupt would close the channel of a lock.
    return Uninterrupted.call("verbena-open", OPEN_DEADLINE_SECONDS, () -> openHere(settings));
  }

  private static ShuffleStore openHere(StoreSettings settings) throws IOException {
    UUID nonce = UUID.randomUUID();
    Pool pool =
        Pool.open(
            new PoolSettings(
                settings.name(),
                nonce,
                settings.poolLimit(),
                settings.memoryHint(),
                settings.regionSize(),
                settings.backings().stream().map(Backing::named).toList(),
                settings.memoryDirectories(),
                settings.localDirectories(),
                settings.prefault(),
                !settings.remote().addresses().isEmpty()));
    try {
      ShuffleStore store = new ShuffleStore(settings, nonce, pool);
      pool.start(Control.MAX_REGIONS, new PublishedRegions(store.control, settings.remote()));
      return store;
    } catch (IOException | RuntimeException e) {
      pool.close();
      throw e;
    }
  }

  /** Tells peers of regions: by records in the control area, and by keys of the adapter. */
  private record PublishedRegions(ControlWriter control, RemoteAccess remote)
      implements Pool.RegionListener {
    @Override
    public void added(int id, int directory, Backing backing, int pageSize, MemoryView memory) {
      control.addRegion(
          id, directory, memory.capacity(), backing.code(), pageSize, remote.export(memory));
    }

    @Override
    public void leaves(int id, MemoryView memory) {
      control.retireRegion(id);
      remote.withdraw(memory);
    }
  }

  /** What peers need to reach this store's memory. */
  public StoreDescriptor descriptor() {
    return descriptor;
  }

  /**
   * Begins a map output. The caller closes it; an output closed before its commit leaves nothing.
   *
   * @param mapId the task attempt id, unique in the application
   */
  public MapOutput newMapOutput(int shuffleId, int partitions, long mapId) {
    if (partitions <= 0) {
      throw new IllegalArgumentException("partitions=" + partitions + ": at least 1 is needed");
    }
    shuffles.checkOpen();
    pool.hold();
    return new MapOutput(this, shuffleId, partitions, mapId);
  }

  /** Publishes a map output's runs; announces the shuffle first when nobody did. */
  void commit(MapOutput output) throws IOException {
    Shuffle shuffle = shuffles.pinOrBegin(output.shuffleId(), output.partitions());
    try {
      publish(output, shuffle);
    } catch (IOException | RuntimeException e) {
      shuffles.discardIfUnannounced(shuffle);
      throw e;
    } finally {
      shuffles.unpin(shuffle);
    }
  }

  private void publish(MapOutput output, Shuffle shuffle) throws IOException {
    List<FinishedRun> runs = output.runs();
    if (runs.isEmpty()) {
      runs = List.of(FinishedRun.empty(output.partitions()));
    }
    int first = shuffle.reserve(output.mapId(), runs.size(), pool, settings.announcer());
    for (int run = 0; run < runs.size(); run++) {
      shuffle.table().fill(first + run, runs.get(run).entries());
    }
    output.handOver(shuffle);
    for (int run = 0; run < runs.size(); run++) {
      FinishedRun finished = runs.get(run);
      shuffle.table().publish(first + run, output.mapId(), run, runs.size(), finished.fileSize());
      (finished.file() == null ? runsInPool : runsOnDisk).incrementAndGet();
    }
    shuffle.published(output.mapId(), new Shuffle.Slots(first, runs.size()));
  }

  /** Writes the headers of a shuffle's location table once more, if there is one. */
  void repairTable(int shuffleId) throws IOException {
    Shuffle shuffle = shuffles.pinPublished(shuffleId);
    if (shuffle != null) {
      try {
        shuffle.repairTable();
      } finally {
        shuffles.unpin(shuffle);
      }
    }
  }

  /** Where this store's part of a shuffle lies; empty when no map output of it was published. */
  public Optional<ShuffleDescriptor> describe(int shuffleId) {
    return Optional.ofNullable(shuffles.published(shuffleId)).map(Shuffle::descriptor);
  }

  /**
   * Holds a shuffle's memory and files for a reader in this process; empty when nothing of it is
   * here. While a lease is held the shuffle may be removed, but its memory is not reused.
   */
  public Optional<ShuffleLease> lease(int shuffleId) {
    pool.hold();
    Shuffle shuffle = null;
    try {
      shuffle = shuffles.pinPublished(shuffleId);
    } finally {
      if (shuffle == null) {
        pool.release();
      }
    }
    return Optional.ofNullable(shuffle).map(pinned -> new ShuffleLease(this, pinned));
  }

  void endLease(Shuffle shuffle) {
    shuffles.unpin(shuffle);
    pool.release();
  }

  /** Ids of the shuffles of which something is published here. */
  public int[] shuffleIds() {
    return shuffles.publishedIds();
  }

  /** Removes a shuffle; an unknown one is no error. Readers of other processes see it at once. */
  public void removeShuffle(int shuffleId) {
    shuffles.remove(shuffleId);
  }

  /** What the pool has chosen when it was opened. */
  public PoolChoice poolChoice() {
    return pool.choice();
  }

  /** Figures for metrics and reports. */
  public StoreStats stats() {
    PoolStats stats = pool.stats();
    Map<String, Long> reservedOf = new HashMap<>();
    stats.reservedOf().forEach((backing, bytes) -> reservedOf.put(backing.optionName(), bytes));
    return new StoreStats(
        stats.used(),
        stats.usedByTables(),
        stats.reserved(),
        Map.copyOf(reservedOf),
        stats.highWater(),
        stats.limit(),
        stats.backing(),
        runsInPool.get(),
        runsOnDisk.get(),
        files.bytes());
  }

  Pool pool() {
    return pool;
  }

  int chunkSize() {
    return settings.chunkSize();
  }

  NativeBuffer takeStaging() {
    return staging.take();
  }

  void giveBackStaging(NativeBuffer buffer) {
    staging.giveBack(buffer);
  }

  RunFiles files() {
    return files;
  }

  /** An output has ended; frees what it still owns. */
  void end(ExtentList extents, ExtentList chains) {
    pool.free(extents, false);
    pool.free(chains, true);
    pool.release();
  }

  /**
   * Removes everything, files and directories included. Whoever opened the store sees to it that
   * this happens when the process ends, too. Idempotent.
   */
  @Override
  public void close() {
    if (!shuffles.close()) {
      return;
    }
    staging.close();
    try {
      pool.close();
    } catch (IOException e) {
      LOG.warn(
          "cannot remove the files of {}; the next executor on this host does it, or delete them",
          this,
          e);
    }
  }

  @Override
  public String toString() {
    return "the shuffle store of " + settings.name() + " (" + nonce + ")";
  }
}
