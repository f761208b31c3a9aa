package io.verbena.store;

import io.verbena.table.CorruptTableException;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * A reader's hold on a shuffle in the same process. Buffers and paths that it gives out are valid
 * until it is closed.
 *
 * <p>Threads: any; close it once nobody uses its buffers. Close is idempotent.
 */
public final class ShuffleLease implements AutoCloseable {
  private final ShuffleStore store;
  private final Shuffle shuffle;
  private final AtomicBoolean closed = new AtomicBoolean();

  ShuffleLease(ShuffleStore store, Shuffle shuffle) {
    this.store = store;
    this.shuffle = shuffle;
  }

  /**
   * The segments of a block, one for each run of the map output that has bytes for the partition,
   * in order of runs; an empty list for an empty block; empty when the map output was not published
   * here.
   *
   * @throws CorruptTableException when the location table is not what was written
   */
  public Optional<List<LocalSegment>> block(long mapId, int partition)
      throws CorruptTableException {
    checkOpen();
    Shuffle.Slots slots = shuffle.slots(mapId);
    if (slots == null) {
      return Optional.empty();
    }
    return Optional.of(finder().find(mapId, slots, partition));
  }

  /** The runs of a map output, at least 1; 0 when it was not published here. */
  public int runs(long mapId) {
    checkOpen();
    Shuffle.Slots slots = shuffle.slots(mapId);
    return slots == null ? 0 : slots.runs();
  }

  /**
   * One run's bytes of a block; null when it has none.
   *
   * @param run below {@link #runs}
   * @throws CorruptTableException when the location table is not what was written
   */
  public LocalSegment segment(long mapId, int run, int partition) throws CorruptTableException {
    checkOpen();
    return finder().find(mapId, shuffle.slots(mapId), run, partition);
  }

  private BlockFinder finder() {
    return new BlockFinder(store, shuffle.table(), shuffle.shuffleId());
  }

  /** Reduce partitions of the shuffle. */
  public int partitions() {
    return shuffle.partitions();
  }

  /** Map ids published here so far. */
  public long[] mapIds() {
    checkOpen();
    return shuffle.mapIds();
  }

  private void checkOpen() {
    if (closed.get()) {
      throw new IllegalStateException("the lease of shuffle " + shuffle.shuffleId() + " is closed");
    }
  }

  @Override
  public void close() {
    if (closed.compareAndSet(false, true)) {
      store.endLease(shuffle);
    }
  }
}
