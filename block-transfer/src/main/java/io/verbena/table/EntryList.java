package io.verbena.table;

import io.verbena.memory.MemoryView;
import java.util.Arrays;

/**
 * Entries that were read out of a peer's table: for each block those of its runs, in order, or the
 * pieces of a chain. Two longs an entry, in the layout of {@link Entry}.
 *
 * <p>Threads: one at a time.
 */
public final class EntryList {
  private long[] low;
  private long[] high;
  private int[] run;
  private long[] fileSize;
  private int size;

  public EntryList(int capacity) {
    low = new long[Math.max(1, capacity)];
    high = new long[low.length];
    run = new int[low.length];
    fileSize = new long[low.length];
  }

  /** Appends the entries of a chain, or of a part of one, from the start of {@code view}. */
  public void addAll(MemoryView view, int length) {
    for (int at = 0; at + Entry.SIZE <= length; at += Entry.SIZE) {
      set(add(0, 0), view, at, 0);
    }
  }

  /** Appends an entry that is not read yet and returns its index. */
  int add(int runIndex, long sizeOfFile) {
    if (size == low.length) {
      int capacity = size * 2;
      low = Arrays.copyOf(low, capacity);
      high = Arrays.copyOf(high, capacity);
      run = Arrays.copyOf(run, capacity);
      fileSize = Arrays.copyOf(fileSize, capacity);
    }
    run[size] = runIndex;
    fileSize[size] = sizeOfFile;
    return size++;
  }

  /** Sets an entry; {@code seal} is what its place in a tile seals it with, 0 elsewhere. */
  void set(int index, MemoryView view, int at, int seal) {
    low[index] = view.getLong(at);
    high[index] = view.getLong(at + Long.BYTES) ^ Integer.toUnsignedLong(seal);
  }

  public int size() {
    return size;
  }

  /** Bytes from the start of the region; of a disk entry see {@link #fileOffset}. */
  public int offset(int index) {
    return (int) low[index];
  }

  public int length(int index) {
    return (int) (low[index] >>> 32);
  }

  public int crc(int index) {
    return (int) high[index] ^ Entry.seal(flags(index));
  }

  public int region(int index) {
    return (int) (high[index] >>> 32) & 0xffff;
  }

  public int flags(int index) {
    return (int) (high[index] >>> 48);
  }

  public boolean has(int index, int flag) {
    return (flags(index) & flag) != 0;
  }

  /** Offset in the run's file, bytes, of an entry with {@link Entry#DISK}. */
  public long fileOffset(int index) {
    return (long) region(index) << 32 | Integer.toUnsignedLong(offset(index));
  }

  /** Index of the run in its map output. */
  public int run(int index) {
    return run[index];
  }

  /** Bytes of the run's file as its slot header says. */
  public long fileSize(int index) {
    return fileSize[index];
  }
}
