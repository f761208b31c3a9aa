package io.verbena.store;

import io.verbena.memory.Extent;
import io.verbena.memory.ExtentList;
import io.verbena.memory.Pool;
import io.verbena.table.TableMemory;
import io.verbena.table.TableWriter;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;

/**
 * One generation of a shuffle in this store: its table and everything that it owns. Freed when it
 * was removed and its last pin is gone.
 */
final class Shuffle {
  /** Slots of a map output: consecutive, one a run. */
  record Slots(int first, int runs) {}

  private static final Slots CLAIMED = new Slots(-1, 0);

  private final int shuffleId;
  private final int partitions;
  private final long generation;
  private final int word;

  /** Held while the table is begun, the shuffle announced and slots are reserved. */
  final ReentrantLock publishing = new ReentrantLock();

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

  /** Begins the table unless that was done. The caller holds the publishing lock. */
  void begin(Pool pool) throws IOException {
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
    public int largest() {
      return pool.regionSize();
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

  ExtentList tableExtents() {
    return tableExtents;
  }

  synchronized void take(ExtentList runs, ExtentList chained, Iterable<RunFile> runFiles) {
    extents.takeAll(runs);
    chains.takeAll(chained);
    runFiles.forEach(file -> files.put(file.path(), file.size()));
  }

  ExtentList extents() {
    return extents;
  }

  ExtentList chains() {
    return chains;
  }

  Map<Path, Long> files() {
    return files;
  }

  synchronized boolean announced() {
    return announced;
  }

  synchronized void setAnnounced() {
    announced = true;
  }

  /** Marks a map output as being published; false when it is or was already. */
  synchronized boolean claim(long mapId) {
    return maps.putIfAbsent(mapId, CLAIMED) == null;
  }

  /** Takes a claim back. */
  synchronized void unclaim(long mapId) {
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
