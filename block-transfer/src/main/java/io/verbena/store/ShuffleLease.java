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
    return Optional.of(
        new BlockFinder(store, shuffle.table(), shuffle.shuffleId()).find(mapId, slots, partition));
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
