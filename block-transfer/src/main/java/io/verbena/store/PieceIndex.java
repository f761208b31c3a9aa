package io.verbena.store;

import io.verbena.memory.Extent;
import io.verbena.memory.MemoryView;
import io.verbena.table.Entry;
import io.verbena.table.EntryArray;
import java.io.IOException;
import java.util.Arrays;

/**
 * Where the pieces of a run went: an entry for each partition, and for partitions of more than one
 * piece an array of entries that becomes their chain.
 *
 * <p>Threads: the run's.
 */
final class PieceIndex {
  private final EntryArray entries;
  private int partition = -1;
  private int flags;
  private int pieces;

  // Pieces of all chains, one chain after the other, and for each its partition, flags and end.
  private EntryArray chained;
  private int[] chains = new int[0];
  private int chainCount;

  PieceIndex(int partitions) {
    entries = new EntryArray(partitions);
  }

  EntryArray entries() {
    return entries;
  }

  void add(int partition, int region, int offset, int length, int crc, int flags) {
    if (begins(partition, flags)) {
      entries.set(partition, region, offset, length, crc, flags);
    } else {
      chained.set(chained.append(), region, offset, length, crc, 0);
    }
  }

  void addDisk(int partition, long fileOffset, int length, int crc, int flags) {
    if (begins(partition, flags)) {
      entries.setDisk(partition, fileOffset, length, crc, flags);
    } else {
      chained.setDisk(chained.append(), fileOffset, length, crc, 0);
    }
  }

  /** Whether the piece is its partition's first; makes the chain when it is the second. */
  private boolean begins(int partition, int flags) {
    if (partition != this.partition) {
      endChain();
      this.partition = partition;
      this.flags = flags;
      pieces = 1;
      return true;
    }
    pieces++;
    if (pieces == 2) {
      if (chained == null) {
        chained = new EntryArray(0);
      }
      chained.copy(chained.append(), entries, partition, 0);
    }
    return false;
  }

  private void endChain() {
    if (pieces > 1) {
      if (chainCount * 3 == chains.length) {
        chains = Arrays.copyOf(chains, Math.max(3 * 8, 2 * chains.length));
      }
      chains[chainCount * 3] = partition;
      chains[chainCount * 3 + 1] = flags;
      chains[chainCount * 3 + 2] = chained.size();
      chainCount++;
    }
    pieces = 0;
  }

  /** Writes the chains into memory and points the partitions' entries at them. */
  void storeChains(MapOutput output) throws IOException {
    endChain();
    int from = 0;
    for (int i = 0; i < 3 * chainCount; i += 3) {
      int end = chains[i + 2];
      int length = Math.multiplyExact(end - from, Entry.SIZE);
      Extent extent = output.allocateChain(length);
      MemoryView view = extent.view();
      for (int piece = from; piece < end; piece++) {
        chained.write(piece, view, (piece - from) * Entry.SIZE);
      }
      entries.set(
          chains[i],
          extent.regionId(),
          extent.offset(),
          length,
          view.crc32c(0, length),
          chains[i + 1] | Entry.CHAIN);
      from = end;
    }
    chained = null;
  }
}
