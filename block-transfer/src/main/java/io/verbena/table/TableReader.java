package io.verbena.table;

import io.verbena.memory.MemoryView;
import io.verbena.store.ShuffleDescriptor;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Reads one peer's part of a shuffle: keeps what its directory and slot headers say and looks only
 * for what is new. Valid for one generation; make another for the next.
 *
 * <p>Threads: all methods from any thread. Scratch memory is the caller's, at least {@link
 * #SCRATCH} bytes.
 */
public final class TableReader {
  /** Bytes of scratch memory that any call needs at least: the slot headers of one tile, twice. */
  public static final int SCRATCH = 2 * (Tile.HEADER_SIZE + Tile.MAX_SLOTS * Tile.SLOT_SIZE);

  private static final int ATTEMPTS = 4;
  private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(5);

  private final ShuffleDescriptor shuffle;
  private final ReentrantLock refreshing = new ReentrantLock();
  // Replaced after each refresh that succeeded.
  private volatile State state;

  /** What was seen, and up to where. Never changed once published. */
  record State(DirectoryReader.Position end, List<TileInfo> tiles, SlotIndex slots) {}

  /**
   * Where a tile lies.
   *
   * @param published bit per slot whose header was taken into the index
   */
  record TileInfo(int index, int region, int offset, int slots, long published) {
    boolean full() {
      return Long.bitCount(published) == slots;
    }
  }

  public TableReader(ShuffleDescriptor shuffle) {
    this.shuffle = shuffle;
    this.state = new State(DirectoryReader.Position.start(shuffle), List.of(), new SlotIndex());
  }

  /** The part of the shuffle that this reader reads. */
  public ShuffleDescriptor shuffle() {
    return shuffle;
  }

  /**
   * Makes sure that all runs of the map outputs are known; reads headers again, a bounded number of
   * times, while some are missing.
   *
   * @param timeoutNanos longest wait for another thread that reads headers now
   * @return index in {@code mapIds} of one that is missing still, or -1
   * @throws StaleTableException when the shuffle's generation is over
   * @throws CorruptTableException when the table contradicts itself, also after reading it again
   */
  public int find(long[] mapIds, TableSource source, MemoryView scratch, long timeoutNanos)
      throws IOException {
    for (int attempt = 0; ; attempt++) {
      SlotIndex slots = state.slots();
      int missing = missing(slots, mapIds);
      if (missing < 0 || attempt == ATTEMPTS) {
        return missing;
      }
      if (attempt > 1) {
        LockSupport.parkNanos(PAUSE_NANOS);
      }
      refresh(slots, source, scratch, timeoutNanos);
    }
  }

  private static int missing(SlotIndex slots, long[] mapIds) {
    for (int i = 0; i < mapIds.length; i++) {
      // Blocks of one map output mostly follow each other.
      if ((i == 0 || mapIds[i] != mapIds[i - 1]) && !slots.complete(mapIds[i])) {
        return i;
      }
    }
    return -1;
  }

  private void refresh(SlotIndex seen, TableSource source, MemoryView scratch, long timeoutNanos)
      throws IOException {
    lock(timeoutNanos);
    try {
      State now = state;
      if (now.slots() != seen) {
        return; // another thread has read meanwhile
      }
      List<TileInfo> tiles = new ArrayList<>(now.tiles());
      DirectoryReader.Position end =
          new DirectoryReader(shuffle, now.end()).readNew(source, scratch, tiles);
      SlotIndex slots = now.slots().copy();
      new SlotReader(shuffle, source, scratch).readNew(tiles, slots);
      state = new State(end, List.copyOf(tiles), slots);
    } finally {
      refreshing.unlock();
    }
  }

  private void lock(long timeoutNanos) throws IOException {
    boolean interrupted = false;
    long end = System.nanoTime() + timeoutNanos;
    try {
      while (true) {
        try {
          if (refreshing.tryLock(end - System.nanoTime(), TimeUnit.NANOSECONDS)) {
            return;
          }
          throw new IOException(
              "another task reads the location table of shuffle "
                  + shuffle.shuffleId()
                  + " since more than "
                  + TimeUnit.NANOSECONDS.toMillis(timeoutNanos)
                  + " ms");
        } catch (InterruptedException e) {
          interrupted = true;
        }
      }
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  /**
   * Reads the entries of blocks whose map outputs {@link #find} has found.
   *
   * @param mapIds map output of each block
   * @param partitions reduce partition of each block
   */
  public Located locate(long[] mapIds, int[] partitions, TableSource source, MemoryView scratch)
      throws IOException {
    return new RowReader(shuffle, state, source, scratch).read(mapIds, partitions);
  }

  /**
   * Entries of blocks.
   *
   * @param first index of each block's first entry, and one more: the number of entries
   * @param entries of each block, one a run, in order of runs
   */
  @SuppressWarnings("ArrayRecordComponent") // handed over, never compared
  public record Located(int[] first, EntryList entries) {}
}
