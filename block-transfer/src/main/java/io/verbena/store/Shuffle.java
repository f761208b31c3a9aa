package io.verbena.store;

import io.verbena.memory.Extent;
import io.verbena.memory.ExtentList;
import io.verbena.memory.Pool;
import io.verbena.table.TableMemory;
import io.verbena.table.TableWriter;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;

/**
 * One generation of a shuffle in this store: its table and everything that it owns. Freed when it
 * was removed and its last pin is gone.
 */
final class Shuffle {
  /** Slots of a map output: consecutive, one a run. */
  record Slots(int first, int runs) {}

  private static final Slots CLAIMED = new Slots(-1, 0);
  private static final long PUBLISH_DEADLINE_SECONDS = 300;

  private final int shuffleId;
  private final int partitions;
  private final long generation;
  private final int word;

  // Held while the table is begun, the shuffle announced and slots are reserved.
  private final ReentrantLock publishing = new ReentrantLock();

  // Null until the first commit; both written under the publishing lock.
  private volatile TableWriter table;
  private volatile ShuffleDescriptor descriptor;

  private final ExtentList tableExtents = new ExtentList();
  private final ExtentList extents = new ExtentList();
  private final ExtentList chains = new ExtentList();
  private final Map<Path, Long> files = new HashMap<>();
  private final Map<Long, Slots> maps = new HashMap<>();
  private boolean announced;
  private int published;

  // Guarded by the store: one pin for being in the store, one for each lease and commit.
  int pins = 1;

  Shuffle(int shuffleId, int partitions, long generation, int word) {
    this.shuffleId = shuffleId;
    this.partitions = partitions;
    this.generation = generation;
    this.word = word;
  }

  /**
   * Reserves slots for a map output. The first caller begins the table and announces the shuffle.
   *
   * @return the first of the slots, one for each run
   * @throws IOException when there is no room, the announcement fails, the map output was published
   *     before, or the thread was interrupted
   */
  int reserve(long mapId, int runs, Pool pool, StoreSettings.Announcer announcer)
      throws IOException {
    lock();
    try {
      begin(pool);
      if (!announced()) {
        announcer.announce(descriptor);
        setAnnounced();
      }
      if (!claim(mapId)) {
        throw new IOException(
            "map " + mapId + " of shuffle " + shuffleId + " was published before");
      }
      try {
        return table.reserve(runs);
      } catch (IOException | RuntimeException e) {
        unclaim(mapId);
        throw e;
      }
    } finally {
      publishing.unlock();
    }
  }

  /** Writes the table's headers once more. */
  void repairTable() throws IOException {
    lock();
    try {
      if (table != null) {
        table.rewriteHeaders();
      }
    } finally {
      publishing.unlock();
    }
  }

  private void lock() throws IOException {
    try {
      if (!publishing.tryLock(PUBLISH_DEADLINE_SECONDS, TimeUnit.SECONDS)) {
        throw new IOException(
            "shuffle "
                + shuffleId
                + " could not be published within "
                + PUBLISH_DEADLINE_SECONDS
                + " s: another task's announcement to the driver does not end");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("interrupted while waiting to publish a map output");
    }
  }

  private void begin(Pool pool) throws IOException {
    if (table == null) {
      TableWriter begun =
          new TableWriter(shuffleId, partitions, generation, new ListedMemory(pool, tableExtents));
      descriptor =
          new ShuffleDescriptor(
              shuffleId,
              partitions,
              generation,
              word,
              begun.directoryRegion(),
              begun.directoryOffset());
      table = begun;
    }
  }

  /** Takes table blocks from the pool and remembers them. */
  private record ListedMemory(Pool pool, ExtentList blocks) implements TableMemory {
    @Override
    public Extent allocate(int length) throws IOException {
      Extent extent = pool.allocateTable(length);
      blocks.add(extent);
      return extent;
    }

    @Override
    public int preferred() {
      return pool.maxExtent();
    }

    @Override
    public int region() {
      return pool.regionSize();
    }

    @Override
    public int largest() {
      return Pool.MAX_TABLE_BLOCK;
    }
  }

  int shuffleId() {
    return shuffleId;
  }

  int partitions() {
    return partitions;
  }

  int word() {
    return word;
  }

  TableWriter table() {
    return table;
  }

  ShuffleDescriptor descriptor() {
    return descriptor;
  }

  synchronized void take(ExtentList runs, ExtentList chained, Iterable<RunFile> runFiles) {
    extents.takeAll(runs);
    chains.takeAll(chained);
    runFiles.forEach(file -> files.put(file.path(), file.size()));
  }

  /** Gives all memory back and deletes all files. Nobody pins it any more. */
  void free(Pool pool, RunFiles runFiles) {
    pool.free(extents, false);
    pool.free(chains, true);
    pool.free(tableExtents, true);
    files.forEach(runFiles::delete);
  }

  synchronized boolean announced() {
    return announced;
  }

  private synchronized void setAnnounced() {
    announced = true;
  }

  /** Marks a map output as being published; false when it is or was already. */
  private synchronized boolean claim(long mapId) {
    return maps.putIfAbsent(mapId, CLAIMED) == null;
  }

  /** Takes a claim back. */
  private synchronized void unclaim(long mapId) {
    maps.remove(mapId, CLAIMED);
  }

  synchronized void published(long mapId, Slots slots) {
    maps.put(mapId, slots);
    published++;
  }

  /** Where a published map output is; null when there is none. */
  synchronized Slots slots(long mapId) {
    Slots slots = maps.get(mapId);
    return CLAIMED.equals(slots) ? null : slots;
  }

  synchronized boolean isEmpty() {
    return published == 0;
  }

  synchronized long[] mapIds() {
    return maps.entrySet().stream()
        .filter(entry -> !CLAIMED.equals(entry.getValue()))
        .mapToLong(Map.Entry::getKey)
        .toArray();
  }
}
