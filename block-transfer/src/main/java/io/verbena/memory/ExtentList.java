package io.verbena.memory;

import java.util.Arrays;

/** Extents, 8 bytes each. Threads: its owner's. */
public final class ExtentList {
  // Units of FreeSpace.UNIT in a region of at most 1 GiB take 24 bits, a length one more.
  private static final int UNIT_BITS = 24;
  private static final int LENGTH_BITS = UNIT_BITS + 1;

  private long[] packed = new long[4];
  private int size;

  /** Appends an extent. */
  public void add(Extent extent) {
    append(
        (long) extent.regionId() << (UNIT_BITS + LENGTH_BITS)
            | (long) (extent.offset() / FreeSpace.UNIT) << LENGTH_BITS
            | FreeSpace.units(extent.length()));
  }

  /** Moves all extents of another list here. */
  public void takeAll(ExtentList other) {
    for (int i = 0; i < other.size; i++) {
      append(other.packed[i]);
    }
    other.clear();
  }

  private void append(long extent) {
    if (size == packed.length) {
      packed = Arrays.copyOf(packed, 2 * size);
    }
    packed[size++] = extent;
  }

  int region(int index) {
    return (int) (packed[index] >>> (UNIT_BITS + LENGTH_BITS));
  }

  int offset(int index) {
    return (int) (packed[index] >>> LENGTH_BITS & ((1L << UNIT_BITS) - 1)) * FreeSpace.UNIT;
  }

  /** Bytes, rounded up to whole units. */
  int length(int index) {
    return (int) (packed[index] & ((1L << LENGTH_BITS) - 1)) * FreeSpace.UNIT;
  }

  public int size() {
    return size;
  }

  void clear() {
    size = 0;
  }
}
