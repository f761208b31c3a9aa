package io.verbena.store;

import io.verbena.memory.Backing;
import io.verbena.memory.ExtentList;
import io.verbena.memory.MemoryView;
import io.verbena.memory.NativeBuffer;
import io.verbena.memory.Pool;
import io.verbena.memory.PoolSettings;
import io.verbena.memory.PoolStats;
import io.verbena.memory.StagingBuffers;
import io.verbena.table.Control;
import io.verbena.table.ControlWriter;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * All map outputs that this executor holds: the pool, the control area and the location table of
 * every shuffle. One per process.
 *
 * <p>Threads: all methods may be called from any thread.
 */
public final class ShuffleStore implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(ShuffleStore.class);

  private static final int MIN_STAGING = 1 << 20;
  private static final long OPEN_DEADLINE_SECONDS = 120;
  private static final long PUBLISH_DEADLINE_SECONDS = 300;

  private final StoreSettings settings;
  private final UUID nonce;
  private final Pool pool;
  private final ControlWriter control;
  private final StoreDescriptor descriptor;
  private final StagingBuffers staging;
  private final AtomicLong diskBytes = new AtomicLong();
  private final AtomicLong runsInPool = new AtomicLong();
  private final AtomicLong runsOnDisk = new AtomicLong();
  private final Thread shutdownHook;

  // Guarded by this: which shuffles live, who pins them, which generation words are taken.
  private final Map<Integer, Shuffle> shuffles = new HashMap<>();
  private final BitSet words = new BitSet();
  private long lastGeneration;
  private boolean closed;

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
            settings.chunkSize());
    this.staging =
        new StagingBuffers(Math.max(settings.chunkSize(), Math.min(MIN_STAGING, pool.maxExtent())));
    this.shutdownHook = new Thread(this::closeAll, "verbena-store-exit");
  }

  /**
   * Makes the executor's directories, its control area and its pool, and removes what dead
   * processes of this user left in the same places.
   *
   * @throws IOException when no backing can hold even the control area
   */
  public static ShuffleStore open(StoreSettings settings) throws IOException {
    // Task threads open stores, and an interrupt would close the channel of a lock.
    ShuffleStore store =
        Uninterrupted.call("verbena-open", OPEN_DEADLINE_SECONDS, () -> openHere(settings));
    Runtime.getRuntime().addShutdownHook(store.shutdownHook);
    return store;
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
                settings.prefault()));
    try {
      ShuffleStore store = new ShuffleStore(settings, nonce, pool);
      pool.start(
          Control.MAX_REGIONS,
          (id, directory, length, backing, pageSize) ->
              store.control.addRegion(id, directory, length, backing.code(), pageSize));
      return store;
    } catch (IOException | RuntimeException e) {
      pool.close();
      throw e;
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
    checkOpen();
    pool.hold();
    return new MapOutput(this, shuffleId, partitions, mapId);
  }

  /** Publishes a map output's runs; announces the shuffle first when nobody did. */
  void commit(MapOutput output) throws IOException {
    Shuffle shuffle = pin(output.shuffleId(), output.partitions());
    try {
      publish(output, shuffle);
    } catch (IOException | RuntimeException e) {
      discardIfUnannounced(shuffle);
      throw e;
    } finally {
      unpin(shuffle);
    }
  }

  private void publish(MapOutput output, Shuffle shuffle) throws IOException {
    List<FinishedRun> runs = output.runs();
    if (runs.isEmpty()) {
      runs = List.of(FinishedRun.empty(output.partitions()));
    }
    int first = reserve(output.mapId(), runs.size(), shuffle);
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

  private int reserve(long mapId, int runs, Shuffle shuffle) throws IOException {
    lock(shuffle);
    boolean claimed = false;
    boolean reserved = false;
    try {
      shuffle.begin(pool);
      if (!shuffle.announced()) {
        settings.announcer().announce(shuffle.descriptor());
        shuffle.setAnnounced();
      }
      claimed = shuffle.claim(mapId);
      if (!claimed) {
        throw new IOException(
            "map " + mapId + " of shuffle " + shuffle.shuffleId() + " was published before");
      }
      int first = shuffle.table().reserve(runs);
      reserved = true;
      return first;
    } finally {
      if (claimed && !reserved) {
        shuffle.unclaim(mapId);
      }
      shuffle.publishing.unlock();
    }
  }

  private static void lock(Shuffle shuffle) throws IOException {
    try {
      if (!shuffle.publishing.tryLock(PUBLISH_DEADLINE_SECONDS, TimeUnit.SECONDS)) {
        throw new IOException(
            "shuffle "
                + shuffle.shuffleId()
                + " could not be published within "
                + PUBLISH_DEADLINE_SECONDS
                + " s: another task's announcement to the driver does not end");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("interrupted while waiting to publish a map output");
    }
  }

  private synchronized Shuffle pin(int shuffleId, int partitions) throws IOException {
    checkOpen();
    Shuffle shuffle = shuffles.get(shuffleId);
    if (shuffle == null) {
      shuffle = newShuffle(shuffleId, partitions);
      shuffles.put(shuffleId, shuffle);
    }
    if (shuffle.partitions() != partitions) {
      throw new IllegalArgumentException(
          "shuffle "
              + shuffleId
              + " has "
              + shuffle.partitions()
              + " partitions here, not "
              + partitions);
    }
    shuffle.pins++;
    return shuffle;
  }

  private Shuffle newShuffle(int shuffleId, int partitions) throws IOException {
    int word = words.nextClearBit(0);
    if (word >= Control.MAX_WORDS) {
      throw new IOException(
          "no generation word is free: " + Control.MAX_WORDS + " shuffles are alive");
    }
    Shuffle shuffle = new Shuffle(shuffleId, partitions, ++lastGeneration, word);
    words.set(word);
    control.setGeneration(word, lastGeneration);
    return shuffle;
  }

  /** Forgets a shuffle that nobody was told of, unless others are still about to announce it. */
  private void discardIfUnannounced(Shuffle shuffle) {
    synchronized (this) {
      // One pin is the store's, one the caller's.
      if (shuffle.announced()
          || shuffle.pins != 2
          || !shuffles.remove(shuffle.shuffleId(), shuffle)) {
        return;
      }
      control.setGeneration(shuffle.word(), 0);
    }
    unpin(shuffle);
  }

  private void unpin(Shuffle shuffle) {
    synchronized (this) {
      shuffle.pins--;
      if (shuffle.pins > 0) {
        return;
      }
      words.clear(shuffle.word());
    }
    pool.free(shuffle.extents(), false);
    pool.free(shuffle.chains(), true);
    pool.free(shuffle.tableExtents(), true);
    shuffle.files().forEach(this::deleteFile);
  }

  /** Where this store's part of a shuffle lies; empty when no map output of it was published. */
  public synchronized Optional<ShuffleDescriptor> describe(int shuffleId) {
    return Optional.ofNullable(shuffles.get(shuffleId))
        .filter(shuffle -> !shuffle.isEmpty())
        .map(Shuffle::descriptor);
  }

  /**
   * Holds a shuffle's memory and files for a reader in this process; empty when nothing of it is
   * here. While a lease is held the shuffle may be removed, but its memory is not reused.
   */
  public synchronized Optional<ShuffleLease> lease(int shuffleId) {
    checkOpen();
    Shuffle shuffle = shuffles.get(shuffleId);
    if (shuffle == null || shuffle.isEmpty()) {
      return Optional.empty();
    }
    pool.hold();
    shuffle.pins++;
    return Optional.of(new ShuffleLease(this, shuffle));
  }

  void endLease(Shuffle shuffle) {
    unpin(shuffle);
    pool.release();
  }

  /** Removes a shuffle; an unknown one is no error. Readers of other processes see it at once. */
  public void removeShuffle(int shuffleId) {
    Shuffle shuffle;
    synchronized (this) {
      shuffle = shuffles.remove(shuffleId);
      if (shuffle == null) {
        return;
      }
      control.setGeneration(shuffle.word(), 0);
    }
    unpin(shuffle);
  }

  /** Figures for metrics and reports. */
  public StoreStats stats() {
    PoolStats stats = pool.stats();
    return new StoreStats(
        stats.used(),
        stats.usedByTables(),
        stats.reserved(),
        stats.highWater(),
        stats.limit(),
        stats.backing(),
        runsInPool.get(),
        runsOnDisk.get(),
        diskBytes.get());
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

  Path runFile(int shuffleId, long mapId, int run) {
    return settings.runFiles().file(shuffleId, mapId, run);
  }

  RunFile openFile(int shuffleId, long mapId, int run) throws IOException {
    return new RunFile(runFile(shuffleId, mapId, run), diskBytes);
  }

  void deleteFile(Path file, long size) {
    try {
      Files.deleteIfExists(file);
    } catch (IOException e) {
      LOG.warn("cannot delete {} of {} bytes", file, size, e);
    }
    diskBytes.addAndGet(-size);
  }

  /** An output has ended; frees what it still owns. */
  void end(ExtentList extents, ExtentList chains) {
    pool.free(extents, false);
    pool.free(chains, true);
    pool.release();
  }

  private synchronized void checkOpen() {
    if (closed) {
      throw new IllegalStateException(this + " is closed");
    }
  }

  /** Removes everything, files and directories included. Idempotent. */
  @Override
  public void close() {
    try {
      Runtime.getRuntime().removeShutdownHook(shutdownHook);
    } catch (IllegalStateException e) {
      LOG.debug("the JVM is shutting down");
    }
    closeAll();
  }

  private void closeAll() {
    List<Integer> left;
    synchronized (this) {
      if (closed) {
        return;
      }
      closed = true;
      left = List.copyOf(shuffles.keySet());
    }
    left.forEach(this::removeShuffle);
    staging.close();
    try {
      pool.close();
    } catch (IOException e) {
      LOG.warn("cannot remove the files of {}", this, e);
    }
  }

  @Override
  public String toString() {
    return "the shuffle store of " + settings.name() + " (" + nonce + ")";
  }
}
