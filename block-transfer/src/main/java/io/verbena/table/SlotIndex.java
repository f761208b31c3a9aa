package io.verbena.table;

import java.util.Arrays;

/**
 * Published slots of one peer's part of a shuffle by map id. Primitive arrays: at 2,000 maps an
 * index takes less than 100 KiB.
 *
 * <p>Threads: filled by one thread, then published and never changed; {@link #copy} makes the next.
 */
final class SlotIndex {
  private static final int NONE = -1;

  private int size;
  private long[] map = new long[16];
  private int[] run = new int[16];
  private int[] runs = new int[16];
  private long[] fileSize = new long[16];
  private int[] tile = new int[16];
  private int[] column = new int[16];
  // Slots of one map output, ascending by run.
  private int[] next = new int[16];
  // Open addressing: first slot of a map output.
  private int[] table = filled(32);

  private static int[] filled(int length) {
    int[] array = new int[length];
    Arrays.fill(array, NONE);
    return array;
  }

  SlotIndex copy() {
    SlotIndex c = new SlotIndex();
    c.size = size;
    c.map = map.clone();
    c.run = run.clone();
    c.runs = runs.clone();
    c.fileSize = fileSize.clone();
    c.tile = tile.clone();
    c.column = column.clone();
    c.next = next.clone();
    c.table = table.clone();
    return c;
  }

  void add(long mapId, int runIndex, int runCount, long size, int inTile, int inColumn) {
    if (this.size == map.length) {
      grow();
    }
    int slot = this.size++;
    map[slot] = mapId;
    run[slot] = runIndex;
    runs[slot] = runCount;
    fileSize[slot] = size;
    tile[slot] = inTile;
    column[slot] = inColumn;
    link(slot);
  }

  private void link(int slot) {
    int bucket = bucket(map[slot]);
    int head = table[bucket];
    if (head == NONE || run[slot] < run[head]) {
      next[slot] = head;
      table[bucket] = slot;
      return;
    }
    int before = head;
    while (next[before] != NONE && run[next[before]] <= run[slot]) {
      before = next[before];
    }
    next[slot] = next[before];
    next[before] = slot;
  }

  private int bucket(long mapId) {
    int mask = table.length - 1;
    long mixed = mapId * 0x9e3779b97f4a7c15L;
    int at = (int) (mixed >>> 32) & mask;
    while (table[at] != NONE && map[table[at]] != mapId) {
      at = (at + 1) & mask;
    }
    return at;
  }

  private void grow() {
    int length = map.length * 2;
    map = Arrays.copyOf(map, length);
    run = Arrays.copyOf(run, length);
    runs = Arrays.copyOf(runs, length);
    fileSize = Arrays.copyOf(fileSize, length);
    tile = Arrays.copyOf(tile, length);
    column = Arrays.copyOf(column, length);
    next = Arrays.copyOf(next, length);
    table = filled(length * 2);
    for (int slot = 0; slot < size; slot++) {
      link(slot);
    }
  }

  /** First slot of a map output, or -1. Further runs follow by {@link #next}. */
  int first(long mapId) {
    return table[bucket(mapId)];
  }

  /** The slot of the map output's next run, or -1. */
  int next(int slot) {
    return next[slot];
  }

  /** Whether each run of the map output has exactly one slot. */
  boolean complete(long mapId) {
    int expected = 0;
    int slot = first(mapId);
    if (slot == NONE) {
      return false;
    }
    int count = runs[slot];
    for (; slot != NONE; slot = next[slot]) {
      if (run[slot] != expected++ || runs[slot] != count) {
        return false;
      }
    }
    return expected == count;
  }

  int size() {
    return size;
  }

  int run(int slot) {
    return run[slot];
  }

  long fileSize(int slot) {
    return fileSize[slot];
  }

  int tile(int slot) {
    return tile[slot];
  }

  int column(int slot) {
    return column[slot];
  }
}
