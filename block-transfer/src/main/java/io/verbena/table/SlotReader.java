package io.verbena.table;

import io.verbena.memory.MemoryView;
import io.verbena.store.ShuffleDescriptor;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * Reads slot headers that have come. Each is read twice in one batch: a copy says nothing about the
 * order of the bytes inside it, so the first one tells which slots are published and the second,
 * which is not older, what they hold.
 *
 * <p>Threads: one.
 */
final class SlotReader {
  private final ShuffleDescriptor shuffle;
  private final TableSource source;
  private final MemoryView scratch;

  SlotReader(ShuffleDescriptor shuffle, TableSource source, MemoryView scratch) {
    this.shuffle = shuffle;
    this.source = source;
    this.scratch = scratch;
  }

  /** Adds the slots published since their tiles were read last and marks them in the tiles. */
  void readNew(List<TableReader.TileInfo> tiles, SlotIndex slots) throws IOException {
    int next = 0;
    while (next < tiles.size()) {
      List<TableSource.Range> ranges = new ArrayList<>();
      int from = next;
      int bytes = 0;
      for (; next < tiles.size(); next++) {
        TableReader.TileInfo tile = tiles.get(next);
        int length = Tile.slotOffset(tile.slots());
        if (tile.full()) {
          continue;
        }
        if (bytes + 2 * length > scratch.capacity()) {
          break;
        }
        TableSource.Range range = new TableSource.Range(tile.region(), tile.offset(), length);
        ranges.add(range);
        ranges.add(range);
        bytes += 2 * length;
      }
      if (!ranges.isEmpty()) {
        source.read(ranges, scratch);
        take(tiles, from, next, slots);
      }
    }
  }

  private void take(List<TableReader.TileInfo> tiles, int from, int to, SlotIndex slots)
      throws CorruptTableException {
    int at = 0;
    for (int i = from; i < to; i++) {
      TableReader.TileInfo tile = tiles.get(i);
      if (tile.full()) {
        continue;
      }
      int length = Tile.slotOffset(tile.slots());
      checkHeader(tile, at);
      long published = tile.published();
      for (int slot = 0; slot < tile.slots(); slot++) {
        long bit = 1L << slot;
        int header = at + Tile.slotOffset(slot);
        if ((published & bit) == 0
            && scratch.getLong(header + Tile.SLOT_GENERATION) == shuffle.generation()) {
          add(tile, slot, header + length, slots);
          published |= bit;
        }
      }
      tiles.set(
          i,
          new TableReader.TileInfo(
              tile.index(), tile.region(), tile.offset(), tile.slots(), published));
      at += 2 * length;
    }
  }

  private void add(TableReader.TileInfo tile, int column, int at, SlotIndex slots)
      throws CorruptTableException {
    int run = scratch.getInt(at + Tile.SLOT_RUN);
    int runs = scratch.getInt(at + Tile.SLOT_RUNS);
    if (run < 0 || run >= runs) {
      throw corrupt(tile, "slot " + column + " holds run " + run + " of " + runs);
    }
    slots.add(
        scratch.getLong(at + Tile.SLOT_MAP),
        run,
        runs,
        scratch.getLong(at + Tile.SLOT_FILE_SIZE),
        tile.index(),
        column);
  }

  private void checkHeader(TableReader.TileInfo tile, int at) throws CorruptTableException {
    if (scratch.getInt(at) != Tile.MAGIC) {
      throw corrupt(tile, "wrong magic number 0x%08x".formatted(scratch.getInt(at)));
    }
    if (scratch.getInt(at + 4) != Tile.VERSION) {
      throw corrupt(tile, "version " + scratch.getInt(at + 4) + ", expected " + Tile.VERSION);
    }
    if (scratch.crc32c(at, Tile.HEADER_CRC) != scratch.getInt(at + Tile.HEADER_CRC)
        || scratch.getInt(at + Tile.SHUFFLE) != shuffle.shuffleId()
        || scratch.getInt(at + Tile.PARTITIONS) != shuffle.partitions()
        || scratch.getLong(at + Tile.GENERATION) != shuffle.generation()
        || scratch.getInt(at + Tile.SLOTS) != tile.slots()
        || scratch.getInt(at + Tile.INDEX) != tile.index()) {
      throw corrupt(tile, "its header does not match");
    }
  }

  private CorruptTableException corrupt(TableReader.TileInfo tile, String what) {
    return new CorruptTableException(
        "tile "
            + tile.index()
            + " in region "
            + tile.region()
            + " at "
            + tile.offset()
            + " of "
            + shuffle
            + ": "
            + what);
  }
}
