package io.verbena.store;

import io.verbena.memory.MemoryView;
import io.verbena.store.LocalSegment.Piece;
import io.verbena.table.CorruptTableException;
import io.verbena.table.Entry;
import io.verbena.table.TableWriter;
import java.util.ArrayList;
import java.util.List;

/** Finds blocks of this process in its own table. */
final class BlockFinder {
  private static final int SEGMENT_FLAGS = Entry.COMPRESSED | Entry.ENCRYPTED;

  private final ShuffleStore store;
  private final TableWriter table;
  private final int shuffleId;

  BlockFinder(ShuffleStore store, TableWriter table, int shuffleId) {
    this.store = store;
    this.table = table;
    this.shuffleId = shuffleId;
  }

  /**
   * The segments of a block.
   *
   * @throws CorruptTableException when an entry is not what was written
   */
  List<LocalSegment> find(long mapId, Shuffle.Slots slots, int partition)
      throws CorruptTableException {
    List<LocalSegment> segments = new ArrayList<>(slots.runs());
    for (int run = 0; run < slots.runs(); run++) {
      LocalSegment segment = find(mapId, slots, run, partition);
      if (segment != null) {
        segments.add(segment);
      }
    }
    return segments;
  }

  /**
   * One run's segment of a block; null when the run has no bytes for the partition.
   *
   * @throws CorruptTableException when the entry is not what was written
   */
  LocalSegment find(long mapId, Shuffle.Slots slots, int run, int partition)
      throws CorruptTableException {
    MemoryView tile = table.tileOf(slots.first() + run);
    int at = table.entryOffset(slots.first() + run, partition);
    int crc = table.crc(slots.first() + run, partition);
    try {
      if ((Entry.flags(tile, at) & Entry.PRESENT) == 0) {
        throw new CorruptTableException("it says that it was not written");
      }
      if (Entry.length(tile, at) != 0) {
        return segment(mapId, run, tile, at, crc);
      }
      if (crc != 0) {
        throw new CorruptTableException("it has no bytes and a checksum");
      }
      return null;
    } catch (CorruptTableException | IndexOutOfBoundsException e) {
      throw new CorruptTableException(
          "the entry of run %d of map %d, partition %d of shuffle %d is broken: %s"
              .formatted(run, mapId, partition, shuffleId, e.getMessage()));
    }
  }

  private LocalSegment segment(long mapId, int run, MemoryView tile, int at, int crc)
      throws CorruptTableException {
    int flags = Entry.flags(tile, at);
    if ((flags & Entry.CHAIN) == 0) {
      Piece piece = piece(mapId, run, tile, at, crc);
      return new LocalSegment(run, flags & SEGMENT_FLAGS, piece.length(), List.of(piece));
    }
    MemoryView chain = store.pool().memory(Entry.region(tile, at));
    int from = Entry.offset(tile, at);
    int bytes = Entry.length(tile, at);
    checkRange(chain, from, bytes);
    // Nothing else vouches for the flags of a chain: its pieces have checksums of their own.
    if (chain.crc32c(from, bytes) != crc) {
      throw new CorruptTableException("its chain does not match its checksum");
    }
    int count = bytes / Entry.SIZE;
    List<Piece> pieces = new ArrayList<>(count);
    long length = 0;
    for (int i = 0; i < count; i++) {
      int pieceAt = from + i * Entry.SIZE;
      Piece piece = piece(mapId, run, chain, pieceAt, Entry.crc(chain, pieceAt));
      pieces.add(piece);
      length += piece.length();
    }
    return new LocalSegment(run, flags & SEGMENT_FLAGS, length, pieces);
  }

  private static void checkRange(MemoryView memory, int offset, int length)
      throws CorruptTableException {
    if (offset < 0 || length < 0 || offset + (long) length > memory.capacity()) {
      throw new CorruptTableException("it points at %d bytes at %d".formatted(length, offset));
    }
  }

  private Piece piece(long mapId, int run, MemoryView view, int at, int crc)
      throws CorruptTableException {
    int length = Entry.length(view, at);
    if ((Entry.flags(view, at) & Entry.DISK) != 0) {
      if (length < 0) {
        throw new CorruptTableException("it has " + length + " bytes");
      }
      return new Piece(
          null,
          false,
          store.files().path(shuffleId, mapId, run),
          Entry.fileOffset(view, at),
          length,
          crc);
    }
    int region = Entry.region(view, at);
    int offset = Entry.offset(view, at);
    checkRange(store.pool().memory(region), offset, length);
    return new Piece(
        store.pool().memory(region).slice(offset, length),
        store.pool().hasHugePages(region, offset + length),
        store.pool().file(region),
        Integer.toUnsignedLong(offset),
        length,
        crc);
  }
}
