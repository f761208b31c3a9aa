package io.verbena.table;

import io.verbena.memory.MemoryView;
import io.verbena.store.ShuffleDescriptor;
import java.io.IOException;
import java.util.List;

/**
 * Follows a peer's directory blocks from a position. Records are append-only; one that does not
 * match its checksum was read while it was written, and is read again.
 *
 * <p>Threads: one. Made for each reading, so that one that fails leaves no trace.
 */
final class DirectoryReader {
  private static final int ATTEMPTS = 4;

  /**
   * How far a directory was read.
   *
   * @param region region of the block
   * @param offset its offset in the region
   * @param records records that it has room for
   * @param seen records of it that were taken
   */
  record Position(int region, int offset, int records, int seen) {
    static Position start(ShuffleDescriptor shuffle) {
      return new Position(
          shuffle.directoryRegion(), shuffle.directoryOffset(), Directory.FIRST_RECORDS, 0);
    }
  }

  private final ShuffleDescriptor shuffle;
  private int region;
  private int offset;
  private int records;
  private int seen;

  DirectoryReader(ShuffleDescriptor shuffle, Position from) {
    this.shuffle = shuffle;
    this.region = from.region();
    this.offset = from.offset();
    this.records = from.records();
    this.seen = from.seen();
  }

  /** Appends the tiles that have come since the position and gives the next one. */
  Position readNew(TableSource source, MemoryView scratch, List<TableReader.TileInfo> tiles)
      throws IOException {
    int broken = 0;
    while (true) {
      source.read(
          List.of(new TableSource.Range(region, offset, Directory.blockSize(records))), scratch);
      int count = checkedCount(scratch);
      Step step = take(scratch, count, tiles);
      if (step == Step.END) {
        return new Position(region, offset, records, seen);
      }
      if (step == Step.BROKEN && ++broken == ATTEMPTS) {
        throw corrupt("record " + seen + " does not match its checksum");
      }
    }
  }

  private enum Step {
    END,
    NEXT_BLOCK,
    BROKEN
  }

  private Step take(MemoryView block, int count, List<TableReader.TileInfo> tiles)
      throws CorruptTableException {
    while (seen < count) {
      int at = Directory.recordOffset(seen);
      if (block.crc32c(at, Directory.RECORD_CRC) != block.getInt(at + Directory.RECORD_CRC)) {
        return Step.BROKEN;
      }
      int kind = block.getInt(at + Directory.RECORD_KIND);
      int toRegion = block.getInt(at + Directory.RECORD_REGION);
      int toOffset = block.getInt(at + Directory.RECORD_OFFSET);
      if (kind == Directory.KIND_NEXT) {
        region = toRegion;
        offset = toOffset;
        records = Directory.BLOCK_RECORDS;
        seen = 0;
        return Step.NEXT_BLOCK;
      }
      if (kind != Directory.KIND_TILE) {
        throw corrupt("record " + seen + " is of unknown kind " + kind);
      }
      int slots = block.getInt(at + Directory.RECORD_SLOTS);
      int length = block.getInt(at + Directory.RECORD_LENGTH);
      if (slots < 1 || slots > Tile.MAX_SLOTS || Tile.size(slots, shuffle.partitions()) > length) {
        throw corrupt("record " + seen + " names a tile of " + slots + " slots in " + length);
      }
      tiles.add(new TableReader.TileInfo(tiles.size(), toRegion, toOffset, slots, 0));
      seen++;
    }
    return Step.END;
  }

  private int checkedCount(MemoryView block) throws CorruptTableException {
    if (block.getInt(0) != Directory.MAGIC) {
      throw corrupt("wrong magic number 0x%08x".formatted(block.getInt(0)));
    }
    if (block.getInt(4) != Directory.VERSION) {
      throw corrupt("version " + block.getInt(4) + ", expected " + Directory.VERSION);
    }
    long count = block.getLong(Directory.COUNT);
    if (block.crc32c(0, Directory.HEADER_CRC) != block.getInt(Directory.HEADER_CRC)
        || block.getInt(Directory.SHUFFLE) != shuffle.shuffleId()
        || block.getInt(Directory.PARTITIONS) != shuffle.partitions()
        || block.getLong(Directory.GENERATION) != shuffle.generation()
        || block.getInt(Directory.CAPACITY) != records
        || count < seen
        || count > records) {
      throw corrupt(
          "its header does not match (shuffle %d, %d partitions, generation %d, %d records)"
              .formatted(
                  block.getInt(Directory.SHUFFLE),
                  block.getInt(Directory.PARTITIONS),
                  block.getLong(Directory.GENERATION),
                  count));
    }
    return (int) count;
  }

  private CorruptTableException corrupt(String what) {
    return new CorruptTableException(
        "directory block in region " + region + " at " + offset + " of " + shuffle + ": " + what);
  }
}
