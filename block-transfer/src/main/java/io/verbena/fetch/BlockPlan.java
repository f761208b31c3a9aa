package io.verbena.fetch;

import io.verbena.table.CorruptTableException;
import io.verbena.table.Entry;
import io.verbena.table.EntryList;
import io.verbena.table.TableReader;
import java.io.IOException;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;

/**
 * The pieces of one peer's blocks, in order, as its location table gives them. Reads the table for
 * many blocks at a time and a chain when its block's turn comes.
 *
 * <p>Threads: the task's.
 */
final class BlockPlan {
  /** Blocks whose entries are held at one time. */
  private static final int WINDOW = 1 << 16;

  /** Bytes of the longest chain: what a broken length may cost in memory before it shows. */
  private static final int MAX_CHAIN = 16 << 20;

  /** What a plan asks of its source. */
  interface Source {
    /** Waiting READs by the current route; the caller closes it. */
    TableReads reads();

    /** Whether the file of a run can be read in place. */
    boolean reachesFile(BlockId block, int run, long size);

    /** A block with bytes in a file that is out of reach: it comes by another way, or not. */
    void divert(int block) throws FetchException;

    /** A block is at fault. */
    FetchException failure(int block, String message);
  }

  private final List<BlockId> blocks;
  private final Source source;
  private final int largest;
  private final BitSet diverted = new BitSet();
  private TableReader table;
  private TableReader.Located located;
  private int windowFrom;
  private int windowTo;

  // The block whose pieces come next, and which of them.
  private int block;
  private int piece;
  private final ArrayList<Piece> pieces = new ArrayList<>();

  /**
   * Makes a plan.
   *
   * @param largest bytes of the largest piece that a receive buffer has room for
   */
  BlockPlan(List<BlockId> blocks, TableReader table, int largest, Source source) {
    this.blocks = blocks;
    this.table = table;
    this.largest = largest;
    this.source = source;
  }

  /** Goes on with another generation's table. */
  void table(TableReader next, int fromBlock) {
    table = next;
    located = null;
    seek(fromBlock, 0);
  }

  /** Goes to a piece of a block. */
  void seek(int toBlock, int toPiece) {
    block = toBlock;
    piece = toPiece;
    pieces.clear();
    if (toBlock < windowFrom) {
      located = null;
    }
  }

  /** Goes to a piece of a block and reads the table for it again. */
  void readAgain(int fromBlock, int fromPiece) {
    located = null;
    seek(fromBlock, fromPiece);
  }

  int block() {
    return block;
  }

  int piece() {
    return piece;
  }

  /** Whether all pieces were taken. Those of the last block may have to be looked at. */
  boolean atEnd() {
    return block == blocks.size();
  }

  /** The blocks from an index on, without those that come by another way. */
  List<BlockId> rest(int from) {
    List<BlockId> rest = new ArrayList<>();
    for (int i = from; i < blocks.size(); i++) {
      if (!diverted.get(i)) {
        rest.add(blocks.get(i));
      }
    }
    return rest;
  }

  /** The next piece; null at the end. */
  Piece peek() throws IOException {
    while (pieces.isEmpty() && !atEnd()) {
      if (diverted.get(block)) {
        block++;
        piece = 0;
        continue;
      }
      if (located == null || block >= windowTo) {
        readWindow();
      }
      enter();
    }
    return pieces.isEmpty() ? null : pieces.get(piece);
  }

  /** Takes the piece that {@link #peek} gave. */
  void advance() {
    if (++piece == pieces.size()) {
      nextBlock();
    }
  }

  /** Leaves out what is left of a segment, when the next piece belongs to it. */
  void skip(int ofBlock, int segment) {
    while (block == ofBlock && !pieces.isEmpty() && pieces.get(piece).segment == segment) {
      advance();
    }
  }

  private void nextBlock() {
    block++;
    piece = 0;
    pieces.clear();
  }

  private void readWindow() throws IOException {
    int to = Math.min(blocks.size(), block + WINDOW);
    long[] maps = new long[to - block];
    int[] partitions = new int[to - block];
    for (int i = 0; i < maps.length; i++) {
      BlockId id = blocks.get(block + i);
      maps[i] = id.mapId();
      partitions[i] = id.partition();
    }
    try (TableReads reads = source.reads()) {
      int missing = table.find(maps, reads, reads.into(), reads.timeoutNanos());
      if (missing >= 0) {
        throw source.failure(
            block + missing, "the executor's location table does not hold all runs of the map");
      }
      located = table.locate(maps, partitions, reads, reads.into());
    }
    windowFrom = block;
    windowTo = to;
  }

  /** Lists the pieces of the next block. */
  private void enter() throws IOException {
    EntryList entries = located.entries();
    int first = located.first()[block - windowFrom];
    int last = located.first()[block - windowFrom + 1];
    int segments = 0;
    boolean reachable = true;
    for (int entry = first; entry < last; entry++) {
      if (entries.length(entry) != 0) {
        reachable &= add(entries, entry, segments++);
      }
    }
    if (pieces.isEmpty()) {
      throw source.failure(block, "the location table says that the block is empty");
    }
    if (!reachable) {
      if (piece != 0) {
        throw source.failure(block, "a run's file went out of reach in the middle of the block");
      }
      int away = block;
      diverted.set(away);
      nextBlock();
      source.divert(away);
      return;
    }
    pieces.get(pieces.size() - 1).lastOfBlock = true;
    for (Piece each : pieces) {
      each.segmentLastOfBlock = each.segment == segments - 1;
    }
  }

  private boolean add(EntryList entries, int entry, int segment) throws IOException {
    int run = entries.run(entry);
    long fileSize = entries.fileSize(entry);
    int flags = entries.flags(entry);
    int from = pieces.size();
    EntryList parts = entries;
    int begin = entry;
    int end = entry + 1;
    if (entries.has(entry, Entry.CHAIN)) {
      parts = chain(entries, entry);
      begin = 0;
      end = parts.size();
    }
    long total = 0;
    boolean onDisk = false;
    for (int i = begin; i < end; i++) {
      total += parts.length(i);
      onDisk |= parts.has(i, Entry.DISK);
    }
    for (int i = begin; i < end; i++) {
      if (parts.length(i) <= 0 || parts.length(i) > largest) {
        throw new CorruptTableException(
            "an entry of %s names %d bytes, the largest piece has %d"
                .formatted(blocks.get(block), parts.length(i), largest));
      }
      Piece next = piece(segment, run, flags, total, i == begin, parts, i, fileSize);
      next.segmentOnDisk = onDisk;
      pieces.add(next);
    }
    return pieces.size() > from
        && (!onDisk || source.reachesFile(blocks.get(block), run, fileSize));
  }

  private Piece piece(
      int segment,
      int run,
      int flags,
      long total,
      boolean first,
      EntryList parts,
      int i,
      long fileSize) {
    boolean onDisk = parts.has(i, Entry.DISK);
    return new Piece(
        block,
        pieces.size(),
        segment,
        run,
        flags,
        total,
        first,
        onDisk ? -1 : parts.region(i),
        onDisk ? parts.fileOffset(i) : Integer.toUnsignedLong(parts.offset(i)),
        parts.length(i),
        parts.crc(i),
        fileSize);
  }

  private EntryList chain(EntryList entries, int entry) throws IOException {
    int length = entries.length(entry);
    if (length < 0
        || length > MAX_CHAIN
        || length % Entry.SIZE != 0
        || entries.has(entry, Entry.DISK)) {
      throw new CorruptTableException(
          "the chain of %s run %d has %d bytes, flags %d"
              .formatted(blocks.get(block), entries.run(entry), length, entries.flags(entry)));
    }
    try (TableReads reads = source.reads()) {
      return reads.chain(entries.region(entry), entries.offset(entry), length, entries.crc(entry));
    }
  }
}
