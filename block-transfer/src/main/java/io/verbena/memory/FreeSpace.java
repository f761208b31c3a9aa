package io.verbena.memory;

import java.util.Arrays;

/**
 * Who may use what of one region: holes below a frontier, and untouched space above it. Holes were
 * written before, so their pages are there already and are taken first, lowest offset first; only
 * then the frontier moves. Neighbouring holes are joined at once.
 *
 * <p>Sizes and offsets are units of {@link #UNIT} bytes. Threads: guarded by the pool's lock.
 */
final class FreeSpace {
  /** Bytes of a unit: a cache line, so that atomically published longs are aligned. */
  static final int UNIT = 64;

  private int limit;
  private int frontier;
  private int free;

  // Holes in order of offset; none touches another or the frontier's far side.
  private int[] offsets = new int[16];
  private int[] lengths = new int[16];
  private int holes;

  /**
   * Makes the space of an untouched region.
   *
   * @param limit units of the region
   */
  FreeSpace(int limit) {
    this.limit = limit;
  }

  /** Units that hold {@code bytes}. */
  static int units(long bytes) {
    return Math.toIntExact((bytes + UNIT - 1) / UNIT);
  }

  /** Takes units from the first hole that fits; -1 when none does. */
  int takeHole(int units) {
    if (units > free) {
      return -1;
    }
    for (int i = 0; i < holes; i++) {
      if (lengths[i] >= units) {
        int offset = offsets[i];
        offsets[i] += units;
        lengths[i] -= units;
        if (lengths[i] == 0) {
          remove(i);
        }
        free -= units;
        return offset;
      }
    }
    return -1;
  }

  /**
   * Units by which the frontier has to move to hold {@code units} more: less than that when a hole
   * ends at the frontier. -1 when the region has no such room.
   */
  int growthFor(int units) {
    int growth = Math.max(0, units - lastHole());
    return growth <= limit - frontier ? growth : -1;
  }

  /** Takes units at the frontier; {@link #growthFor} said that they fit. */
  int takeAtFrontier(int units) {
    int growth = growthFor(units);
    if (growth < 0) {
      throw new IllegalArgumentException(
          "units=" + units + " frontier=" + frontier + " limit=" + limit);
    }
    if (growth > 0) {
      frontier += growth;
      release(frontier - growth, growth);
    }
    int last = holes - 1;
    int offset = offsets[last];
    offsets[last] += units;
    lengths[last] -= units;
    if (lengths[last] == 0) {
      remove(last);
    }
    free -= units;
    return offset;
  }

  /**
   * Gives units back.
   *
   * @throws IllegalStateException when some of them are free already
   */
  void release(int offset, int units) {
    int next = firstHoleFrom(offset);
    boolean overlapsNext = next < holes && offsets[next] < offset + units;
    boolean overlapsLast = next > 0 && offsets[next - 1] + lengths[next - 1] > offset;
    if (offset < 0 || units <= 0 || offset + units > frontier || overlapsNext || overlapsLast) {
      throw new IllegalStateException(
          "freed twice or never taken: offset=" + offset + " units=" + units + " in " + this);
    }
    free += units;
    boolean joinsLast = next > 0 && offsets[next - 1] + lengths[next - 1] == offset;
    boolean joinsNext = next < holes && offsets[next] == offset + units;
    if (joinsLast) {
      lengths[next - 1] += units;
      if (joinsNext) {
        lengths[next - 1] += lengths[next];
        remove(next);
      }
    } else if (joinsNext) {
      offsets[next] = offset;
      lengths[next] += units;
    } else {
      insert(next, offset, units);
    }
  }

  /** Lets the frontier stay where it is for good: there is no room behind it. */
  void seal() {
    limit = frontier;
  }

  /** Units below the frontier. */
  int frontier() {
    return frontier;
  }

  /** Units above the frontier that may still be used. */
  int untouched() {
    return limit - frontier;
  }

  /** Free units below the frontier. */
  int free() {
    return free;
  }

  int holes() {
    return holes;
  }

  private int lastHole() {
    int last = holes - 1;
    return last >= 0 && offsets[last] + lengths[last] == frontier ? lengths[last] : 0;
  }

  private int firstHoleFrom(int offset) {
    int found = Arrays.binarySearch(offsets, 0, holes, offset);
    return found >= 0 ? found : -found - 1;
  }

  private void insert(int at, int offset, int units) {
    if (holes == offsets.length) {
      offsets = Arrays.copyOf(offsets, 2 * holes);
      lengths = Arrays.copyOf(lengths, 2 * holes);
    }
    System.arraycopy(offsets, at, offsets, at + 1, holes - at);
    System.arraycopy(lengths, at, lengths, at + 1, holes - at);
    offsets[at] = offset;
    lengths[at] = units;
    holes++;
  }

  private void remove(int at) {
    System.arraycopy(offsets, at + 1, offsets, at, holes - at - 1);
    System.arraycopy(lengths, at + 1, lengths, at, holes - at - 1);
    holes--;
  }

  @Override
  public String toString() {
    return "FreeSpace[frontier="
        + frontier
        + " limit="
        + limit
        + " free="
        + free
        + " holes="
        + holes
        + "]";
  }
}
