package io.verbena.table;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.verbena.memory.MemoryView;
import io.verbena.store.ShuffleDescriptor;
import io.verbena.table.HandMadePeer.HandMadeShuffle;
import io.verbena.table.HandMadePeer.Slot;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TableReaderTest {
  private static final long TIMEOUT = 10_000_000_000L;

  @TempDir Path directory;
  private HandMadePeer peer;
  private final MemoryView scratch =
      MemoryView.of(ByteBuffer.allocateDirect(TableReader.SCRATCH + 100));
  private final List<TableSource.Range> reads = new ArrayList<>();
  private Runnable beforeRead = () -> {};

  @BeforeEach
  void makePeer() throws Exception {
    peer = new HandMadePeer(directory, 8 << 20, 1 << 16, 1);
  }

  /** Copies from the peer's memory; the generation is not looked at. */
  private void copy(List<TableSource.Range> ranges, MemoryView into) throws IOException {
    int at = 0;
    for (TableSource.Range range : ranges) {
      beforeRead.run();
      reads.add(range);
      into.putView(at, peer.region(range.region()), range.offset(), range.length());
      at += range.length();
    }
    assertThat(at).isLessThanOrEqualTo(into.capacity());
  }

  private int find(TableReader reader, long... maps) throws IOException {
    return reader.find(maps, this::copy, scratch, TIMEOUT);
  }

  private static byte[] block(long map, int partition) {
    byte[] bytes = new byte[1 + (int) (map % 50) + partition];
    java.util.Arrays.fill(bytes, (byte) (map * 31 + partition));
    return bytes;
  }

  private static byte[][] blocks(long map, int partitions) {
    byte[][] blocks = new byte[partitions][];
    for (int p = 0; p < partitions; p++) {
      blocks[p] = block(map, p);
    }
    return blocks;
  }

  @Test
  void entriesOfManyTilesAndDirectoryBlocksAreFound() throws Exception {
    int partitions = 20;
    int maps = 230; // 115 tiles of two slots: three directory blocks
    HandMadeShuffle shuffle = peer.newShuffle(1, partitions, 0);
    for (long map = 0; map < maps; map++) {
      shuffle.addRun(map * 7, 0, 1, 0, blocks(map * 7, partitions));
    }
    long seed = new Random().nextLong();
    Random random = new Random(seed);
    TableReader reader = new TableReader(shuffle.descriptor());
    for (int round = 0; round < 20; round++) {
      int count = 1 + random.nextInt(300);
      long[] ids = new long[count];
      int[] wanted = new int[count];
      for (int i = 0; i < count; i++) {
        ids[i] = random.nextInt(maps) * 7L;
        wanted[i] = random.nextInt(partitions);
      }
      assertThat(find(reader, ids)).as("seed %d", seed).isEqualTo(-1);
      TableReader.Located located = reader.locate(ids, wanted, this::copy, scratch);
      for (int i = 0; i < count; i++) {
        byte[] expected = block(ids[i], wanted[i]);
        int entry = located.first()[i];
        assertThat(located.first()[i + 1]).isEqualTo(entry + 1);
        assertThat(located.entries().length(entry)).as("seed %d", seed).isEqualTo(expected.length);
        assertThat(located.entries().crc(entry)).isEqualTo(HandMadePeer.crc(expected));
        byte[] bytes = new byte[expected.length];
        peer.region(located.entries().region(entry))
            .getBytes(located.entries().offset(entry), bytes, 0, bytes.length);
        assertThat(bytes).isEqualTo(expected);
      }
    }
  }

  @Test
  void neighbouringRowsComeWithOneRead() throws Exception {
    HandMadeShuffle shuffle = peer.newShuffle(1, 20, 0);
    shuffle.addRun(5, 0, 1, 0, blocks(5, 20));
    shuffle.addRun(6, 0, 1, 0, blocks(6, 20));
    TableReader reader = new TableReader(shuffle.descriptor());
    find(reader, 5, 6);
    reads.clear();

    reader.locate(new long[] {5, 6, 5, 6, 5, 6}, new int[] {3, 3, 4, 4, 5, 5}, this::copy, scratch);

    assertThat(reads)
        .singleElement()
        .extracting(TableSource.Range::length)
        .isEqualTo(3 * Tile.rowSize(2));
  }

  @Test
  void knownSlotsAreNotReadAgain() throws Exception {
    HandMadeShuffle shuffle = peer.newShuffle(1, 2, 0);
    for (long map = 0; map < 6; map++) {
      shuffle.addRun(map, 0, 1, 0, blocks(map, 2));
    }
    TableReader reader = new TableReader(shuffle.descriptor());
    assertThat(find(reader, 0, 5)).isEqualTo(-1);
    reads.clear();
    assertThat(find(reader, 1, 2, 3)).isEqualTo(-1);
    assertThat(reads).isEmpty();

    shuffle.addRun(6, 0, 1, 0, blocks(6, 2));
    assertThat(find(reader, 6)).isEqualTo(-1);
    assertThat(reads).as("directory, and the new tile's headers twice").hasSize(3);
  }

  @Test
  void aMapOutputIsMissingUntilTheLastOfItsRunsIsPublished() throws Exception {
    HandMadeShuffle shuffle = peer.newShuffle(1, 2, 0);
    shuffle.addRun(5, 1, 3, 0, blocks(5, 2));
    shuffle.addRun(5, 0, 3, 0, blocks(5, 2));
    Slot last = shuffle.prepareRun(5, 2, 3, 0, blocks(5, 2));
    shuffle.addRun(6, 0, 1, 0, blocks(6, 2));
    TableReader reader = new TableReader(shuffle.descriptor());

    assertThat(find(reader, 6, 6, 5)).isEqualTo(2);

    // Published while the reader looks: it looks more than once.
    int[] left = {8};
    beforeRead =
        () -> {
          if (--left[0] == 0) {
            last.publish();
          }
        };
    assertThat(find(reader, 6, 5)).isEqualTo(-1);
    TableReader.Located located = reader.locate(new long[] {5}, new int[] {1}, this::copy, scratch);
    assertThat(located.entries().size()).isEqualTo(3);
    for (int run = 0; run < 3; run++) {
      assertThat(located.entries().run(run)).isEqualTo(run);
    }
  }

  @Test
  void aSlotThatIsPublishedBetweenTheTwoReadsOfItsHeaderIsTakenNextTime() throws Exception {
    HandMadeShuffle shuffle = peer.newShuffle(1, 2, 0);
    Slot slot = shuffle.prepareRun(5, 0, 1, 0, blocks(5, 2));
    long[] map = {5};
    int mapAt = slot.header() + Tile.SLOT_MAP;
    slot.tile().putLong(mapAt, 0);
    int[] count = {0};
    beforeRead =
        () -> {
          if (++count[0] == 3) { // directory, first copy, now the second
            slot.tile().putLong(mapAt, map[0]);
            slot.publish();
          }
        };
    TableReader reader = new TableReader(shuffle.descriptor());
    assertThat(find(reader, 5)).isEqualTo(-1);
    assertThat(find(reader, 0)).as("the half-written header was never taken").isZero();
  }

  @Test
  void aRecordThatIsBeingWrittenIsReadAgain() throws Exception {
    HandMadeShuffle shuffle = peer.newShuffle(1, 2, 0);
    shuffle.addRun(5, 0, 1, 0, blocks(5, 2));
    int at = Directory.recordOffset(0) + Directory.RECORD_LENGTH;
    int right = shuffle.directoryBlock().getInt(at);
    shuffle.directoryBlock().putInt(at, right + 1);
    int[] count = {0};
    beforeRead =
        () -> {
          if (++count[0] == 2) {
            shuffle.directoryBlock().putInt(at, right);
          }
        };
    TableReader reader = new TableReader(shuffle.descriptor());
    assertThat(find(reader, 5)).isEqualTo(-1);

    shuffle.directoryBlock().putInt(at, right + 1);
    assertThatThrownBy(() -> find(new TableReader(shuffle.descriptor()), 5))
        .isInstanceOf(CorruptTableException.class)
        .hasMessageContaining("record 0 does not match its checksum");
  }

  private void assertCorrupt(HandMadeShuffle shuffle, String message) {
    TableReader reader = new TableReader(shuffle.descriptor());
    assertThatThrownBy(
            () -> {
              find(reader, 5);
              reader.locate(new long[] {5}, new int[] {1}, this::copy, scratch);
            })
        .isInstanceOf(CorruptTableException.class)
        .hasMessageContaining(message);
  }

  @Test
  void headersThatContradictTheLayoutAreRefused() throws Exception {
    HandMadeShuffle shuffle = peer.newShuffle(1, 2, 0);
    shuffle.addRun(5, 0, 1, 0, blocks(5, 2));
    MemoryView block = shuffle.directoryBlock();
    MemoryView tile = shuffle.tile();
    int row = Tile.rowOffset(2, 1);
    record Break(MemoryView view, int at, String message) {}
    List<Break> breaks =
        List.of(
            new Break(block, 0, "directory block in region 0 at 0 of ShuffleDescriptor"),
            new Break(block, 0, "wrong magic number"),
            new Break(block, 4, "version 255, expected 2"),
            new Break(block, Directory.GENERATION, "its header does not match"),
            new Break(block, Directory.COUNT + 4, "its header does not match"),
            new Break(tile, 0, "tile 0 in region 0 at"),
            new Break(tile, 4, "version 255, expected 2"),
            new Break(tile, Tile.GENERATION, "its header does not match"),
            new Break(tile, Tile.slotOffset(0) + Tile.SLOT_RUN, "slot 0 holds run 255 of 1"),
            new Break(tile, row + 14, "row 1 of tile 0 of"),
            new Break(tile, row + 14, "column 0 is published and not written"));
    for (Break each : breaks) {
      int right = each.view().getInt(each.at() & -4);
      byte byteRight = each.view().getByte(each.at());
      each.view().putByte(each.at(), each.at() == row + 14 ? 0 : (byte) 255);
      assertCorrupt(shuffle, each.message());
      each.view().putByte(each.at(), byteRight);
      assertThat(each.view().getInt(each.at() & -4)).isEqualTo(right);
    }
    assertThat(find(new TableReader(shuffle.descriptor()), 5)).isEqualTo(-1);
  }

  @Test
  void anotherShufflesTableIsRefused() throws Exception {
    HandMadeShuffle shuffle = peer.newShuffle(1, 2, 0);
    shuffle.addRun(5, 0, 1, 0, blocks(5, 2));
    ShuffleDescriptor d = shuffle.descriptor();
    for (ShuffleDescriptor other :
        List.of(
            new ShuffleDescriptor(
                2, 2, d.generation(), 0, d.directoryRegion(), d.directoryOffset()),
            new ShuffleDescriptor(
                1, 3, d.generation(), 0, d.directoryRegion(), d.directoryOffset()),
            new ShuffleDescriptor(1, 2, 7, 0, d.directoryRegion(), d.directoryOffset()))) {
      assertThatThrownBy(() -> find(new TableReader(other), 5))
          .isInstanceOf(CorruptTableException.class)
          .hasMessageContaining("its header does not match");
    }
  }

  @Test
  void anIndexOfSlotsAgreesWithASimpleModel() {
    long seed = new Random().nextLong();
    Random random = new Random(seed);
    for (int round = 0; round < 200; round++) {
      record Model(long map, int run, int runs) {}
      List<Model> model = new ArrayList<>();
      int maps = 1 + random.nextInt(60);
      for (int i = 0; i < maps; i++) {
        long map = random.nextBoolean() ? i : random.nextLong();
        int runs = 1 + random.nextInt(4);
        for (int run = 0; run < runs; run++) {
          model.add(new Model(map, run, runs));
        }
      }
      Collections.shuffle(model, random);
      int taken = random.nextInt(model.size() + 1);
      SlotIndex index = new SlotIndex();
      for (int i = 0; i < taken; i++) {
        Model each = model.get(i);
        index = random.nextInt(5) == 0 ? index.copy() : index;
        index.add(each.map(), each.run(), each.runs(), i, i / 4, i % 4);
      }
      assertThat(index.size()).isEqualTo(taken);
      for (Model each : model) {
        List<Model> in =
            model.subList(0, taken).stream().filter(m -> m.map() == each.map()).toList();
        assertThat(index.complete(each.map()))
            .as("seed %d", seed)
            .isEqualTo(in.size() == each.runs());
        int slot = index.first(each.map());
        int before = -1;
        for (int n = 0; n < in.size(); n++) {
          assertThat(index.run(slot)).as("seed %d", seed).isGreaterThan(before);
          before = index.run(slot);
          slot = index.next(slot);
        }
        assertThat(slot).as("seed %d", seed).isEqualTo(-1);
      }
    }
  }
}
