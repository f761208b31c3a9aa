package io.verbena.store;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.zip.CRC32C;

/**
 * Reads a store's files as a peer would, by the layouts as they are documented: offsets stand here
 * as numbers on purpose, so that a change of a layout fails this reader.
 */
final class RawTable {
  private final StoreDescriptor store;
  private final ShuffleDescriptor shuffle;
  private final StoreSettings.RunFiles runFiles;
  private final Map<Integer, Path> regions = new HashMap<>();

  private record Column(
      ByteBuffer tile, int index, int slots, int slot, int run, int runs, long fileSize) {}

  private final Map<Long, TreeMap<Integer, Column>> maps = new HashMap<>();

  RawTable(StoreDescriptor store, ShuffleDescriptor shuffle, StoreSettings.RunFiles runFiles)
      throws IOException {
    this.store = store;
    this.shuffle = shuffle;
    this.runFiles = runFiles;
    readControl();
    readDirectory(shuffle.directoryRegion(), shuffle.directoryOffset(), 0);
  }

  private void readControl() throws IOException {
    Path control = Path.of(store.directories().get(0), "control");
    ByteBuffer header = read(control, 0, 64);
    assertThat(header.getInt(0)).isEqualTo(0x7e4be4a0);
    assertThat(header.getInt(4)).isEqualTo(1);
    assertThat(header.getLong(8)).isEqualTo(store.nonceHigh());
    assertThat(header.getLong(16)).isEqualTo(store.nonceLow());
    assertThat(header.getInt(32)).isEqualTo(crc(header, 0, 32));
    int capacity = header.getInt(24);
    int count = Math.toIntExact(header.getLong(40));
    for (int id = 0; id < count; id++) {
      ByteBuffer record = read(control, 64 + 64L * id, 64);
      assertThat(record.getInt(0)).isEqualTo(id);
      assertThat(record.getInt(60)).isEqualTo(crc(record, 0, 60));
      Path region = Path.of(store.directories().get(record.getInt(4)), "region-" + id);
      assertThat(region).hasSize(record.getLong(8));
      regions.put(id, region);
    }
    ByteBuffer word = read(control, 64 + 64L * capacity + 8L * shuffle.word(), 8);
    assertThat(word.getLong(0)).isEqualTo(shuffle.generation());
  }

  private void readDirectory(int region, int offset, int tiles) throws IOException {
    int seen = tiles;
    ByteBuffer header = read(regions.get(region), offset, 64);
    checkShuffle(header, 0x7e4be4a3);
    assertThat(header.getInt(32)).isEqualTo(crc(header, 0, 32));
    long count = header.getLong(40);
    assertThat(count).isBetween(0L, (long) header.getInt(24));
    for (int i = 0; i < count; i++) {
      ByteBuffer record = read(regions.get(region), offset + 64 + 24L * i, 24);
      assertThat(record.getInt(20)).isEqualTo(crc(record, 0, 20));
      if (record.getInt(0) == 2) {
        assertThat(i).isEqualTo(count - 1);
        readDirectory(record.getInt(4), record.getInt(8), seen);
      } else {
        assertThat(record.getInt(0)).isEqualTo(1);
        readTile(
            read(regions.get(record.getInt(4)), record.getInt(8), record.getInt(12)),
            record.getInt(16),
            seen++);
      }
    }
  }

  private void checkShuffle(ByteBuffer header, int magic) {
    assertThat(header.getInt(0)).isEqualTo(magic);
    assertThat(header.getInt(4)).isEqualTo(2);
    assertThat(header.getInt(8)).isEqualTo(shuffle.shuffleId());
    assertThat(header.getInt(12)).isEqualTo(shuffle.partitions());
    assertThat(header.getLong(16)).isEqualTo(shuffle.generation());
  }

  private void readTile(ByteBuffer tile, int slots, int index) {
    checkShuffle(tile, 0x7e4be4a1);
    assertThat(tile.getInt(24)).isEqualTo(slots);
    assertThat(tile.getInt(28)).isEqualTo(index);
    assertThat(tile.getInt(32)).isEqualTo(crc(tile, 0, 32));
    for (int slot = 0; slot < slots; slot++) {
      int at = 64 + 32 * slot;
      if (tile.getLong(at + 24) == shuffle.generation()) {
        Column column =
            new Column(
                tile,
                index,
                slots,
                slot,
                tile.getInt(at + 8),
                tile.getInt(at + 12),
                tile.getLong(at + 16));
        maps.computeIfAbsent(tile.getLong(at), id -> new TreeMap<>()).put(column.run(), column);
      }
    }
  }

  /** Ids of map outputs of which all runs are there. */
  List<Long> mapIds() {
    List<Long> whole = new ArrayList<>();
    maps.forEach(
        (map, columns) -> {
          if (columns.size() == columns.firstEntry().getValue().runs()) {
            whole.add(map);
          }
        });
    return whole;
  }

  /** A block's bytes over all runs, every checksum compared. */
  byte[] block(long mapId, int partition) throws IOException {
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    for (Column column : maps.get(mapId).values()) {
      ByteBuffer tile = column.tile();
      int row = 64 + 32 * column.slots() + partition * 16 * column.slots();
      append(all, tile, row + 16 * column.slot(), seal(column, partition), mapId, column);
    }
    return all.toByteArray();
  }

  /** What the checksum of an entry in that place is combined with. */
  private int seal(Column column, int partition) {
    long mixed = shuffle.generation() * 0x9e3779b97f4a7c15L + 64L * column.index() + column.slot();
    mixed = (mixed ^ mixed >>> 32) * 0xbf58476d1ce4e5b9L;
    return (int) (mixed >>> 32) + partition * 0x85ebca6b;
  }

  private void append(
      ByteArrayOutputStream all, ByteBuffer entries, int at, int seal, long mapId, Column column)
      throws IOException {
    int length = entries.getInt(at + 4);
    int flags = Short.toUnsignedInt(entries.getShort(at + 14));
    int high = Short.toUnsignedInt(entries.getShort(at + 12));
    assertThat(flags & 1).isEqualTo(1);
    if (length == 0) {
      assertThat(entries.getInt(at + 8) ^ flags * 0x9e3779b1 ^ seal).isZero();
      return;
    }
    ByteBuffer bytes;
    if ((flags & 2) != 0) {
      long offset = (long) high << 32 | Integer.toUnsignedLong(entries.getInt(at));
      Path file = runFiles.file(shuffle.shuffleId(), mapId, column.run());
      assertThat(file).hasSize(column.fileSize());
      bytes = read(file, offset, length);
    } else {
      bytes = read(regions.get(high), Integer.toUnsignedLong(entries.getInt(at)), length);
    }
    // The flags and the place are part of the checksum.
    assertThat(entries.getInt(at + 8) ^ flags * 0x9e3779b1 ^ seal).isEqualTo(crc(bytes, 0, length));
    if ((flags & 4) != 0) {
      for (int i = 0; i < length; i += 16) {
        append(all, bytes, i, 0, mapId, column);
      }
    } else {
      byte[] plain = new byte[length];
      bytes.get(0, plain);
      all.writeBytes(plain);
    }
  }

  private static ByteBuffer read(Path file, long offset, int length) throws IOException {
    ByteBuffer bytes = ByteBuffer.allocate(length).order(ByteOrder.nativeOrder());
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
      while (bytes.hasRemaining()) {
        assertThat(channel.read(bytes, offset + bytes.position())).isPositive();
      }
    }
    return bytes.flip();
  }

  private static int crc(ByteBuffer bytes, int offset, int length) {
    CRC32C crc = new CRC32C();
    crc.update(bytes.duplicate().clear().slice(offset, length));
    return (int) crc.getValue();
  }
}
