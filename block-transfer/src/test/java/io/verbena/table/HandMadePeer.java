package io.verbena.table;

import io.verbena.memory.MemoryView;
import io.verbena.store.RemoteAccess;
import io.verbena.store.ShuffleDescriptor;
import io.verbena.store.StoreDescriptor;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.CRC32C;

/**
 * An executor's memory made by hand through the layout classes, without the store: what tests of
 * readers read, and break.
 */
public final class HandMadePeer {
  /** Few, so that tests see many tiles. */
  private static final int SLOTS_PER_TILE = Integer.getInteger("verbena.test.slots", 2);

  private final RemoteAccess remote;
  private final Path directory;
  private final int chunkSize;
  private final long nonce;
  private final MemoryView control;
  private final List<MemoryView> regions = new ArrayList<>();
  private long generations = 100;
  private int top;

  public HandMadePeer(Path directory, int regionSize, int chunkSize, long nonce)
      throws IOException {
    this(directory, regionSize, chunkSize, nonce, RemoteAccess.NONE);
  }

  /** A peer that is read through a network adapter too. */
  public HandMadePeer(
      Path directory, int regionSize, int chunkSize, long nonce, RemoteAccess remote)
      throws IOException {
    this.remote = remote;
    this.directory = directory;
    this.chunkSize = chunkSize;
    this.nonce = nonce;
    control = map(directory.resolve(StoreDescriptor.CONTROL_FILE), Control.size());
    control.putInt(0, Control.MAGIC);
    control.putInt(4, Control.VERSION);
    control.putLong(Control.NONCE_HIGH, nonce);
    control.putLong(Control.NONCE_LOW, ~nonce);
    control.putInt(Control.REGION_CAPACITY, Control.MAX_REGIONS);
    control.putInt(Control.WORD_CAPACITY, Control.MAX_WORDS);
    control.putInt(Control.HEADER_CRC, control.crc32c(0, Control.HEADER_CRC));
    addRegion(regionSize);
    remote.serve(nonce, ~nonce, control);
  }

  private static MemoryView map(Path path, int length) throws IOException {
    try (FileChannel channel =
        FileChannel.open(
            path,
            StandardOpenOption.CREATE_NEW,
            StandardOpenOption.READ,
            StandardOpenOption.WRITE)) {
      return MemoryView.of(channel.map(FileChannel.MapMode.READ_WRITE, 0, length));
    }
  }

  /** Adds a region; data goes into the newest. */
  public void addRegion(int size) throws IOException {
    addRegion(size, 4096);
  }

  /** Adds a region and says what pages it has. */
  public void addRegion(int size, int pageSize) throws IOException {
    int id = regions.size();
    regions.add(map(directory.resolve(StoreDescriptor.regionFile(id)), size));
    int at = Control.recordOffset(id);
    control.putInt(at + Control.RECORD_ID, id);
    control.putLong(at + Control.RECORD_LENGTH, size);
    control.putInt(at + Control.RECORD_PAGE_SIZE, pageSize);
    RemoteKey key = remote.export(regions.get(id));
    if (key != null) {
      control.putLong(at + Control.RECORD_REMOTE_ADDRESS, key.address());
      control.putInt(at + Control.RECORD_REMOTE_KEY, key.key());
      control.putInt(at + Control.RECORD_REMOTE, 1);
    }
    control.putInt(at + Control.RECORD_CRC, control.crc32c(at, Control.RECORD_CRC));
    control.putLongRelease(Control.REGION_COUNT, id + 1);
    top = 0;
  }

  public StoreDescriptor descriptor() {
    return new StoreDescriptor(
        nonce, ~nonce, List.of(directory.toString()), chunkSize, remote.addresses());
  }

  public MemoryView control() {
    return control;
  }

  public MemoryView region(int id) {
    return regions.get(id);
  }

  public int newestRegion() {
    return regions.size() - 1;
  }

  /** Gives a region back as its owner would: the word first, then the file. */
  public void retire(int region) throws IOException {
    control.putLongRelease(Control.retirementOffset(region), 1);
    Files.delete(directory.resolve(StoreDescriptor.regionFile(region)));
  }

  /** Lets the memory of the newest region be given out again from its start. */
  public void reuseMemory() {
    top = 0;
  }

  int allocate(int length) {
    int at = top;
    top = Math.addExact(top, (length + 63) & -64);
    if (top > regions.get(newestRegion()).capacity()) {
      throw new IllegalStateException("the region is full");
    }
    return at;
  }

  public static int crc(byte[] bytes) {
    CRC32C crc = new CRC32C();
    crc.update(bytes);
    return (int) crc.getValue();
  }

  /** Begins a shuffle. */
  public HandMadeShuffle newShuffle(int shuffleId, int partitions, int word) {
    return new HandMadeShuffle(shuffleId, partitions, ++generations, word);
  }

  /** A shuffle's table on this peer. */
  public final class HandMadeShuffle {
    private final ShuffleDescriptor descriptor;
    private MemoryView block;
    private int records;
    private int room;
    private int tiles;
    private int slotInTile = SLOTS_PER_TILE;
    private MemoryView tile;

    HandMadeShuffle(int shuffleId, int partitions, long generation, int word) {
      int at = allocate(Directory.blockSize(Directory.FIRST_RECORDS));
      descriptor =
          new ShuffleDescriptor(shuffleId, partitions, generation, word, newestRegion(), at);
      block = newBlock(at, Directory.FIRST_RECORDS);
      control.putLongRelease(Control.wordOffset(word), generation);
    }

    public ShuffleDescriptor descriptor() {
      return descriptor;
    }

    /** The newest tile. */
    public MemoryView tile() {
      return tile;
    }

    /** The newest directory block. */
    public MemoryView directoryBlock() {
      return block;
    }

    private MemoryView newBlock(int at, int capacity) {
      room = capacity;
      MemoryView view = region(newestRegion()).slice(at, Directory.blockSize(capacity));
      view.zero(0, view.capacity());
      view.putInt(0, Directory.MAGIC);
      view.putInt(4, Directory.VERSION);
      view.putInt(Directory.SHUFFLE, descriptor.shuffleId());
      view.putInt(Directory.PARTITIONS, descriptor.partitions());
      view.putLong(Directory.GENERATION, descriptor.generation());
      view.putInt(Directory.CAPACITY, capacity);
      view.putInt(Directory.HEADER_CRC, view.crc32c(0, Directory.HEADER_CRC));
      return view;
    }

    private void append(int kind, int at, int length, int slots) {
      int record = Directory.recordOffset(records);
      block.putInt(record + Directory.RECORD_KIND, kind);
      block.putInt(record + Directory.RECORD_REGION, newestRegion());
      block.putInt(record + Directory.RECORD_OFFSET, at);
      block.putInt(record + Directory.RECORD_LENGTH, length);
      block.putInt(record + Directory.RECORD_SLOTS, slots);
      block.putInt(record + Directory.RECORD_CRC, block.crc32c(record, Directory.RECORD_CRC));
      block.putLongRelease(Directory.COUNT, ++records);
    }

    private void newTile() {
      if (records == room - 1) {
        int length = Directory.blockSize(Directory.BLOCK_RECORDS);
        int next = allocate(length);
        append(2, next, length, 0);
        block = newBlock(next, Directory.BLOCK_RECORDS);
        records = 0;
      }
      int length = (int) Tile.size(SLOTS_PER_TILE, descriptor.partitions());
      int at = allocate(length);
      tile = region(newestRegion()).slice(at, length);
      tile.zero(0, length);
      tile.putInt(0, Tile.MAGIC);
      tile.putInt(4, Tile.VERSION);
      tile.putInt(Tile.SHUFFLE, descriptor.shuffleId());
      tile.putInt(Tile.PARTITIONS, descriptor.partitions());
      tile.putLong(Tile.GENERATION, descriptor.generation());
      tile.putInt(Tile.SLOTS, SLOTS_PER_TILE);
      tile.putInt(Tile.INDEX, tiles++);
      tile.putInt(Tile.HEADER_CRC, tile.crc32c(0, Tile.HEADER_CRC));
      append(1, at, length, SLOTS_PER_TILE);
      slotInTile = 0;
    }

    /** Writes and publishes one run: {@code blocks[partition]}, cut into chunks. */
    public Slot addRun(long mapId, int run, int runs, int flags, byte[]... blocks) {
      Slot slot = prepareRun(mapId, run, runs, flags, blocks);
      slot.publish();
      return slot;
    }

    /** Writes one run without publishing it. */
    public Slot prepareRun(long mapId, int run, int runs, int flags, byte[]... blocks) {
      Slot slot = newSlot(mapId, run, runs, 0);
      for (int partition = 0; partition < blocks.length; partition++) {
        putBlock(slot, partition, flags, blocks[partition]);
      }
      return slot;
    }

    /** Writes and publishes one run whose bytes lie in {@code file}. */
    public Slot addFileRun(long mapId, int flags, Path file, byte[]... blocks) throws IOException {
      Slot slot = newSlot(mapId, 0, 1, 0);
      long at = 0;
      try (FileChannel channel =
          FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
        for (int partition = 0; partition < blocks.length; partition++) {
          int length = blocks[partition].length;
          channel.write(ByteBuffer.wrap(blocks[partition]), at);
          int crc = slot.sealed(partition, crc(blocks[partition]));
          Entry.putDisk(tile, slot.entry(partition), at, length, crc, flags | 1);
          at += length;
        }
      }
      tile.putLong(slot.header() + Tile.SLOT_FILE_SIZE, Files.size(file));
      slot.publish();
      return slot;
    }

    private Slot newSlot(long mapId, int run, int runs, long fileSize) {
      if (slotInTile == SLOTS_PER_TILE) {
        newTile();
      }
      Slot slot = new Slot(tile, tiles - 1, slotInTile++, descriptor.generation());
      tile.putLong(slot.header() + Tile.SLOT_MAP, mapId);
      tile.putInt(slot.header() + Tile.SLOT_RUN, run);
      tile.putInt(slot.header() + Tile.SLOT_RUNS, runs);
      tile.putLong(slot.header() + Tile.SLOT_FILE_SIZE, fileSize);
      for (int partition = 0; partition < descriptor.partitions(); partition++) {
        Entry.put(tile, slot.entry(partition), 0, 0, 0, slot.sealed(partition, 0), Entry.PRESENT);
      }
      return slot;
    }

    private void putBlock(Slot slot, int partition, int flags, byte[] bytes) {
      int region = newestRegion();
      MemoryView memory = region(region);
      int pieces = Math.max(1, (bytes.length + chunkSize - 1) / chunkSize);
      int at = allocate(bytes.length);
      memory.putBytes(at, bytes, 0, bytes.length);
      if (pieces == 1) {
        int crc = slot.sealed(partition, crc(bytes));
        Entry.put(tile, slot.entry(partition), region, at, bytes.length, crc, flags | 1);
        return;
      }
      int length = pieces * Entry.SIZE;
      int chain = allocate(length);
      for (int i = 0; i < pieces; i++) {
        int from = i * chunkSize;
        int size = Math.min(chunkSize, bytes.length - from);
        Entry.put(
            memory,
            chain + i * Entry.SIZE,
            region,
            at + from,
            size,
            memory.crc32c(at + from, size),
            Entry.PRESENT);
      }
      Entry.put(
          tile,
          slot.entry(partition),
          region,
          chain,
          length,
          slot.sealed(partition, memory.crc32c(chain, length)),
          flags | Entry.PRESENT | Entry.CHAIN);
    }

    /** Ends the generation; its memory may be overwritten afterwards. */
    public void remove() {
      control.putLong(Control.wordOffset(descriptor.word()), 0);
      java.lang.invoke.VarHandle.fullFence();
    }
  }

  /** A run's column. */
  public record Slot(MemoryView tile, int index, int column, long generation) {
    public int header() {
      return Tile.slotOffset(column);
    }

    /** Offset of an entry in the tile. */
    public int entry(int partition) {
      return Tile.rowOffset(SLOTS_PER_TILE, partition) + column * Entry.SIZE;
    }

    /** The checksum as the entry in its place carries it. */
    int sealed(int partition, int crc) {
      return crc ^ Tile.seal(generation, index, column, partition);
    }

    public void publish() {
      tile.putLongRelease(header() + Tile.SLOT_GENERATION, generation);
    }

    /** Offset in its region of the bytes of a block of one piece. */
    public int offset(int partition) {
      return Entry.offset(tile, entry(partition));
    }
  }
}
