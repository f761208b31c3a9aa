package io.verbena.table;

import io.verbena.memory.Extent;
import io.verbena.memory.MemoryView;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Writes the location table of one shuffle, in one generation, and looks blocks up in it for this
 * process. Does not free its memory: whoever gave it knows when nobody reads it any more.
 *
 * <p>Slots are numbered through all tiles, in order. Threads: {@link #reserve} and {@link
 * #rewriteHeaders} by one thread at a time; {@link #fill} and {@link #publish} by whoever reserved
 * the slot, after its reservation; look-ups by any thread for slots that it learned of from their
 * writer.
 */
public final class TableWriter {
  private final int shuffleId;
  private final int partitions;
  private final long generation;
  private final TableMemory memory;
  private final Extent first;

  private final List<Block> directories = new ArrayList<>();
  private final List<Link> links = new ArrayList<>();

  private MemoryView directory;
  private int directoryRecords;
  private int directoryCapacity;
  private int reserved;
  private int capacity;
  // Replaced, never changed, so that look-ups need no lock.
  private volatile WrittenTile[] tiles = new WrittenTile[0];

  private record WrittenTile(MemoryView view, int index, int firstSlot, int slots) {}

  private record Block(MemoryView view, int records) {}

  /** A record of a directory block. */
  private record Link(MemoryView directory, int index, int kind, Extent to, int slots) {
    void write() {
      int at = Directory.recordOffset(index);
      directory.putInt(at + Directory.RECORD_KIND, kind);
      directory.putInt(at + Directory.RECORD_REGION, to.regionId());
      directory.putInt(at + Directory.RECORD_OFFSET, to.offset());
      directory.putInt(at + Directory.RECORD_LENGTH, to.length());
      directory.putInt(at + Directory.RECORD_SLOTS, slots);
      directory.putInt(at + Directory.RECORD_CRC, directory.crc32c(at, Directory.RECORD_CRC));
    }
  }

  /**
   * Begins a table.
   *
   * @throws IOException when there is no memory for its directory
   */
  public TableWriter(int shuffleId, int partitions, long generation, TableMemory memory)
      throws IOException {
    this.shuffleId = shuffleId;
    this.partitions = partitions;
    this.generation = generation;
    this.memory = memory;
    this.first = memory.allocate(Directory.blockSize(Directory.FIRST_RECORDS));
    begin(first, Directory.FIRST_RECORDS);
  }

  /** Region of the first directory block. */
  public int directoryRegion() {
    return first.regionId();
  }

  /** Offset of the first directory block in its region. */
  public int directoryOffset() {
    return first.offset();
  }

  /**
   * Reserves consecutive slots, making tiles as they are needed.
   *
   * @return the first slot
   * @throws IOException when there is no memory for a tile
   */
  public int reserve(int count) throws IOException {
    while (capacity < reserved + count) {
      addTile();
    }
    int slot = reserved;
    reserved += count;
    return slot;
  }

  private void addTile() throws IOException {
    int slots = slotsOfNextTile();
    if (directoryRecords == directoryCapacity - 1) {
      Extent next = memory.allocate(Directory.blockSize(Directory.BLOCK_RECORDS));
      MemoryView full = directory;
      int last = directoryRecords;
      begin(next, Directory.BLOCK_RECORDS);
      append(full, Directory.KIND_NEXT, next, 0, last);
    }
    Extent tile = memory.allocate(Math.toIntExact(Tile.size(slots, partitions)));
    MemoryView view = tile.view();
    WrittenTile[] old = tiles;
    writeTile(view, slots, old.length);
    WrittenTile[] more = Arrays.copyOf(old, old.length + 1);
    more[old.length] = new WrittenTile(view, old.length, capacity, slots);
    tiles = more;
    capacity += slots;
    append(directory, Directory.KIND_TILE, tile, slots, directoryRecords++);
  }

  /** As the layout wants it, fewer where a tile would be too large. */
  private int slotsOfNextTile() throws IOException {
    int slots = Math.min(Tile.slotsAfter(capacity), slotsWithin(memory.preferred()));
    if (slots == 0) {
      slots = Math.min(Tile.FIRST_SLOTS, slotsWithin(memory.region()));
    }
    if (slots == 0) {
      slots = Math.min(1, slotsWithin(memory.largest()));
    }
    if (slots == 0) {
      throw new IOException(
          "a location table of "
              + partitions
              + " partitions needs "
              + Tile.size(1, partitions)
              + " bytes in one piece, at most "
              + memory.largest()
              + " are possible: use fewer partitions");
    }
    return slots;
  }

  private int slotsWithin(int bytes) {
    long perSlot = Tile.size(1, partitions) - Tile.size(0, partitions);
    return (int) Math.max(0, (bytes - Tile.size(0, partitions)) / perSlot);
  }

  private void writeTile(MemoryView tile, int slots, int index) {
    tile.putInt(0, Tile.MAGIC);
    tile.putInt(4, Tile.VERSION);
    tile.putInt(Tile.SHUFFLE, shuffleId);
    tile.putInt(Tile.PARTITIONS, partitions);
    tile.putLong(Tile.GENERATION, generation);
    tile.putInt(Tile.SLOTS, slots);
    tile.putInt(Tile.INDEX, index);
    tile.putInt(Tile.HEADER_CRC, tile.crc32c(0, Tile.HEADER_CRC));
  }

  /** Goes on in a new directory block, which nobody can reach yet. */
  private void begin(Extent extent, int records) {
    directory = extent.view();
    directoryRecords = 0;
    directoryCapacity = records;
    Block block = new Block(directory, records);
    directories.add(block);
    writeDirectory(block);
  }

  private void writeDirectory(Block block) {
    MemoryView view = block.view();
    view.putInt(0, Directory.MAGIC);
    view.putInt(4, Directory.VERSION);
    view.putInt(Directory.SHUFFLE, shuffleId);
    view.putInt(Directory.PARTITIONS, partitions);
    view.putLong(Directory.GENERATION, generation);
    view.putInt(Directory.CAPACITY, block.records());
    view.putInt(Directory.HEADER_CRC, view.crc32c(0, Directory.HEADER_CRC));
  }

  private void append(MemoryView to, int kind, Extent block, int slots, int index) {
    Link link = new Link(to, index, kind, block, slots);
    links.add(link);
    link.write();
    to.putLongRelease(Directory.COUNT, index + 1);
  }

  /**
   * Writes everything but slot headers and entries once more: what a reader found damaged is whole
   * afterwards. Readers of what was not damaged see the same bytes all the time.
   */
  public void rewriteHeaders() {
    directories.forEach(this::writeDirectory);
    links.forEach(Link::write);
    for (int i = 0; i < links.size(); i++) {
      Link link = links.get(i);
      boolean last = i + 1 == links.size() || links.get(i + 1).directory() != link.directory();
      if (last) {
        link.directory().putLongRelease(Directory.COUNT, link.index() + 1);
      }
    }
    for (WrittenTile tile : tiles) {
      writeTile(tile.view(), tile.slots(), tile.index());
    }
  }

  /** Writes a run's entries into its slot: one for each partition. */
  public void fill(int slot, EntryArray entries) {
    WrittenTile tile = tile(slot);
    int column = slot - tile.firstSlot();
    int at = Tile.rowOffset(tile.slots(), 0) + column * Entry.SIZE;
    int step = Tile.rowSize(tile.slots());
    for (int partition = 0; partition < partitions; partition++, at += step) {
      entries.write(
          partition, tile.view(), at, Tile.seal(generation, tile.index(), column, partition));
    }
  }

  /** Publishes a filled slot. */
  public void publish(int slot, long mapId, int run, int runs, long fileSize) {
    WrittenTile tile = tile(slot);
    int at = Tile.slotOffset(slot - tile.firstSlot());
    tile.view().putLong(at + Tile.SLOT_MAP, mapId);
    tile.view().putInt(at + Tile.SLOT_RUN, run);
    tile.view().putInt(at + Tile.SLOT_RUNS, runs);
    tile.view().putLong(at + Tile.SLOT_FILE_SIZE, fileSize);
    tile.view().putLongRelease(at + Tile.SLOT_GENERATION, generation);
  }

  /** The tile that holds a slot, for {@link Entry}'s readers; see {@link #entryOffset}. */
  public MemoryView tileOf(int slot) {
    return tile(slot).view();
  }

  /** Offset of an entry in {@link #tileOf}. */
  public int entryOffset(int slot, int partition) {
    if (partition < 0 || partition >= partitions) {
      throw new IndexOutOfBoundsException("partition=" + partition + " partitions=" + partitions);
    }
    WrittenTile tile = tile(slot);
    return Tile.rowOffset(tile.slots(), partition) + (slot - tile.firstSlot()) * Entry.SIZE;
  }

  /** CRC32C of an entry's bytes. */
  public int crc(int slot, int partition) {
    WrittenTile tile = tile(slot);
    int column = slot - tile.firstSlot();
    return Entry.crc(tile.view(), entryOffset(slot, partition))
        ^ Tile.seal(generation, tile.index(), column, partition);
  }

  private WrittenTile tile(int slot) {
    WrittenTile[] all = tiles;
    int low = 0;
    int high = all.length - 1;
    while (low < high) {
      int middle = (low + high + 1) >>> 1;
      if (all[middle].firstSlot() <= slot) {
        low = middle;
      } else {
        high = middle - 1;
      }
    }
    return all[low];
  }
}
