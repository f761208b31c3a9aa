package io.verbena.table;

import io.verbena.memory.MemoryView;
import io.verbena.store.ShuffleDescriptor;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Reads rows of the table for a set of blocks: rows of neighbouring partitions in one READ, READs
 * of many tiles in one batch.
 *
 * <p>Threads: one.
 */
final class RowReader {
  // A key sorts entries by tile, then partition: tile (20 bits), partition (24), entry (20).
  private static final int INDEX_BITS = 20;
  private static final int PARTITION_BITS = 24;

  private final ShuffleDescriptor shuffle;
  private final TableReader.State state;
  private final TableSource source;
  private final MemoryView scratch;

  RowReader(
      ShuffleDescriptor shuffle, TableReader.State state, TableSource source, MemoryView scratch) {
    this.shuffle = shuffle;
    this.state = state;
    this.source = source;
    this.scratch = scratch;
  }

  TableReader.Located read(long[] mapIds, int[] partitions) throws IOException {
    SlotIndex slots = state.slots();
    int[] first = new int[mapIds.length + 1];
    EntryList entries = new EntryList(mapIds.length);
    long[] keys = new long[mapIds.length];
    int[] columns = new int[mapIds.length];
    for (int i = 0; i < mapIds.length; i++) {
      first[i] = entries.size();
      if (partitions[i] < 0 || partitions[i] >= shuffle.partitions()) {
        throw new CorruptTableException("partition " + partitions[i] + " wanted of " + shuffle);
      }
      for (int slot = slots.first(mapIds[i]); slot >= 0; slot = slots.next(slot)) {
        int entry = entries.add(slots.run(slot), slots.fileSize(slot));
        if (entry == keys.length) {
          keys = Arrays.copyOf(keys, entry * 2);
          columns = Arrays.copyOf(columns, entry * 2);
        }
        keys[entry] = key(slots.tile(slot), partitions[i], entry);
        columns[entry] = slots.column(slot);
      }
    }
    first[mapIds.length] = entries.size();
    Arrays.sort(keys, 0, entries.size());
    readRows(keys, entries.size(), columns, entries);
    return new TableReader.Located(first, entries);
  }

  private static long key(int tile, int partition, int entry) throws CorruptTableException {
    if (entry >>> INDEX_BITS != 0
        || partition >>> PARTITION_BITS != 0
        || tile >>> (INDEX_BITS - 1) != 0) {
      throw new CorruptTableException(
          "tile " + tile + " partition " + partition + " entry " + entry + " are too many");
    }
    return (long) tile << (INDEX_BITS + PARTITION_BITS) | (long) partition << INDEX_BITS | entry;
  }

  private static int tileOf(long key) {
    return (int) (key >>> (INDEX_BITS + PARTITION_BITS));
  }

  private static int partitionOf(long key) {
    return (int) (key >>> INDEX_BITS) & ((1 << PARTITION_BITS) - 1);
  }

  private void readRows(long[] keys, int count, int[] columns, EntryList entries)
      throws IOException {
    int from = 0;
    while (from < count) {
      List<TableSource.Range> ranges = new ArrayList<>();
      int to = collect(keys, from, count, ranges);
      source.read(ranges, scratch);
      take(keys, from, to, columns, entries);
      from = to;
    }
  }

  /** Collects ranges for as many keys as scratch memory has room for; returns where it stopped. */
  private int collect(long[] keys, int from, int count, List<TableSource.Range> ranges)
      throws CorruptTableException {
    int room = scratch.capacity();
    int i = from;
    while (i < count) {
      TableReader.TileInfo tile = state.tiles().get(tileOf(keys[i]));
      int rowSize = Tile.rowSize(tile.slots());
      int firstRow = partitionOf(keys[i]);
      int lastRow = firstRow;
      int start = i;
      while (i < count && tileOf(keys[i]) == tile.index()) {
        int row = partitionOf(keys[i]);
        if (row > lastRow + 1 || (row - firstRow + 1) * (long) rowSize > room) {
          break;
        }
        lastRow = row;
        i++;
      }
      if (i == start) {
        break;
      }
      int length = (lastRow - firstRow + 1) * rowSize;
      room -= length;
      ranges.add(
          new TableSource.Range(
              tile.region(), tile.offset() + Tile.rowOffset(tile.slots(), firstRow), length));
    }
    if (i == from) {
      throw new CorruptTableException(
          "no room for a row: scratch memory has " + scratch.capacity() + " bytes");
    }
    return i;
  }

  private void take(long[] keys, int from, int to, int[] columns, EntryList entries)
      throws CorruptTableException {
    int at = 0;
    int tileNow = -1;
    int rowNow = -1;
    int rowSize = 0;
    for (int i = from; i < to; i++) {
      int tile = tileOf(keys[i]);
      int row = partitionOf(keys[i]);
      if (tile != tileNow || row != rowNow) {
        at += rowSize;
        tileNow = tile;
        rowNow = row;
        rowSize = Tile.rowSize(state.tiles().get(tile).slots());
      }
      int entry = (int) keys[i] & ((1 << INDEX_BITS) - 1);
      int entryAt = at + columns[entry] * Entry.SIZE;
      if ((Entry.flags(scratch, entryAt) & Entry.PRESENT) == 0) {
        throw corrupt(tile, row, "column " + columns[entry] + " is published and not written");
      }
      entries.set(
          entry, scratch, entryAt, Tile.seal(shuffle.generation(), tile, columns[entry], row));
      if (entries.length(entry) == 0 && entries.crc(entry) != 0) {
        throw corrupt(tile, row, "column " + columns[entry] + " has no bytes and a checksum");
      }
    }
  }

  private CorruptTableException corrupt(int tile, int row, String what) {
    return new CorruptTableException(
        "row " + row + " of tile " + tile + " of " + shuffle + ": " + what);
  }
}
