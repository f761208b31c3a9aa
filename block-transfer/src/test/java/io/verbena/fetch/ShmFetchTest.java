package io.verbena.fetch;

import static io.verbena.fetch.Fetching.block;
import static io.verbena.fetch.Fetching.blocks;
import static io.verbena.fetch.Fetching.client;
import static io.verbena.fetch.Fetching.readAll;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.verbena.fetch.Fetching.Got;
import io.verbena.fetch.Fetching.Registry;
import io.verbena.memory.MemoryView;
import io.verbena.table.Entry;
import io.verbena.table.HandMadePeer;
import io.verbena.table.HandMadePeer.HandMadeShuffle;
import io.verbena.table.HandMadePeer.Slot;
import io.verbena.transport.shm.ShmTransport;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class ShmFetchTest {
  private static final int CHUNK = 64 << 10;

  @TempDir Path directory;
  private HandMadePeer peer;
  private final Random random = new Random(11);

  @BeforeEach
  void makePeer() throws Exception {
    peer = new HandMadePeer(directory, 16 << 20, CHUNK, 42);
  }

  private byte[] bytes(int length) {
    byte[] bytes = new byte[length];
    random.nextBytes(bytes);
    return bytes;
  }

  private FetchClient clientOf(HandMadeShuffle shuffle, ShmTransport.Mode mode) {
    return client(
        new Registry().with("1", peer.descriptor(), shuffle.descriptor()),
        null,
        new ShmTransport(mode));
  }

  private FetchClient clientOf(HandMadeShuffle shuffle) {
    return clientOf(shuffle, ShmTransport.Mode.AUTO);
  }

  @ParameterizedTest
  @EnumSource(ShmTransport.Mode.class)
  void blocksOfAllSizesComeAsTheyWereWritten(ShmTransport.Mode mode) throws Exception {
    int partitions = 7;
    HandMadeShuffle shuffle = peer.newShuffle(3, partitions, 5);
    int[] sizes = {1, 100, 4096, CHUNK - 1, CHUNK, CHUNK + 1, 5 * CHUNK + 77};
    List<byte[]> expected = new ArrayList<>();
    List<BlockId> wanted = new ArrayList<>();
    for (int map = 0; map < 9; map++) {
      byte[][] blocks = new byte[partitions][];
      for (int p = 0; p < partitions; p++) {
        blocks[p] = bytes(sizes[(p + map) % sizes.length]);
        expected.add(blocks[p]);
        wanted.add(block(map, p));
      }
      shuffle.addRun(map, 0, 1, map % 2 == 0 ? 0 : Entry.COMPRESSED, blocks);
    }
    try (FetchClient client = clientOf(shuffle, mode)) {
      Fetching.Watching watching = new Fetching.Watching();
      List<Got> got =
          readAll(
              client, 3, Fetching.LIMITS, watching, blocks("1", wanted.toArray(new BlockId[0])));

      assertThat(got).hasSize(expected.size());
      for (int i = 0; i < got.size(); i++) {
        assertThat(got.get(i).block()).isEqualTo(wanted.get(i));
        assertThat(got.get(i).bytes()).isEqualTo(expected.get(i));
        assertThat(got.get(i).compressed()).isEqualTo(wanted.get(i).mapId() % 2 != 0);
        assertThat(got.get(i).transport()).isEqualTo("shm");
      }
      long total = expected.stream().mapToLong(b -> b.length).sum();
      assertThat(watching.remoteBytes).isEqualTo(total);
      assertThat(watching.remoteBlocks).isEqualTo(wanted.size());
      assertThat(client.stats().bytes()).containsExactly(java.util.Map.entry("shm", total));
      assertThat(client.stats().blocks())
          .containsExactly(java.util.Map.entry("shm", (long) wanted.size()));
      assertThat(client.buffers().given()).isZero();
    }
  }

  @Test
  void aFlippedBitIsReadOnceMoreThenFailsWithBlockExecutorAndTransport() throws Exception {
    HandMadeShuffle shuffle = peer.newShuffle(3, 2, 5);
    shuffle.addRun(8, 0, 1, 0, bytes(100), bytes(200));
    Slot slot = shuffle.addRun(9, 0, 1, 0, bytes(100), bytes(200));
    MemoryView region = peer.region(0);
    int at = slot.offset(1) + 57;
    region.putByte(at, (byte) (region.getByte(at) ^ 4));
    try (FetchClient client = clientOf(shuffle)) {
      assertThat(readAll(client, 3, blocks("1", block(8, 1), block(9, 0)))).hasSize(2);

      assertThatThrownBy(() -> readAll(client, 3, blocks("1", block(9, 1))))
          .isInstanceOf(FetchException.class)
          .hasMessageStartingWith(
              "shuffle 3 map 9 (index 9) partition 1 from executor 1 (host-1:7337) by shm: 200"
                  + " bytes at")
          .hasMessageContaining("do not match their checksum after a second READ");
      assertThat(client.stats().rereads()).isEqualTo(1);
      assertThat(client.stats().checksumFailures()).isEqualTo(2);
      assertThat(client.buffers().given()).isZero();
    }
  }

  @Test
  void whicheverBitOfAnEntryFlipsTheBlockIsNotReadWrongly() throws Exception {
    HandMadeShuffle shuffle = peer.newShuffle(3, 1, 5);
    shuffle.addRun(9, 0, 2, Entry.COMPRESSED, bytes(100));
    // A power of two: one bit makes it the length of an empty block.
    Slot slot = shuffle.addRun(9, 1, 2, Entry.COMPRESSED, bytes(128));
    MemoryView tile = slot.tile();
    try (FetchClient client = clientOf(shuffle)) {
      for (int bit = 0; bit < Entry.SIZE * Byte.SIZE; bit++) {
        int at = slot.entry(0) + bit / Byte.SIZE;
        byte right = tile.getByte(at);
        tile.putByte(at, (byte) (right ^ 1 << bit % Byte.SIZE));
        assertThatThrownBy(() -> readAll(client, 3, blocks("1", block(9, 0))))
            .as("with bit %d flipped", bit)
            .isInstanceOf(FetchException.class)
            .hasMessageStartingWith("shuffle 3 map 9 (index 9) partition 0 from executor 1");
        tile.putByte(at, right);
      }
      assertThat(readAll(client, 3, blocks("1", block(9, 0)))).hasSize(2);
      assertThat(client.buffers().given()).isZero();
    }
  }

  @Test
  void anEntryThatStandsInTheWrongPlaceIsNotReadAsTheBlockOfThatPlace() throws Exception {
    HandMadeShuffle other = peer.newShuffle(4, 2, 6);
    Slot ofOther = other.addRun(9, 0, 1, 0, bytes(100), new byte[0]);
    HandMadeShuffle shuffle = peer.newShuffle(3, 2, 5);
    Slot ofNeighbour = shuffle.addRun(8, 0, 1, 0, bytes(100), new byte[0]);
    Slot slot = shuffle.addRun(9, 0, 1, 0, bytes(100), new byte[0]);
    byte[] right = entry(slot, 0);
    List<byte[]> wrong =
        List.of(
            entry(slot, 1),
            entry(ofNeighbour, 0),
            entry(ofNeighbour, 1),
            entry(ofOther, 0),
            entry(ofOther, 1));
    try (FetchClient client = clientOf(shuffle)) {
      for (byte[] each : wrong) {
        slot.tile().putBytes(slot.entry(0), each, 0, Entry.SIZE);
        assertThatThrownBy(() -> readAll(client, 3, blocks("1", block(9, 0))))
            .as("entry %d of the wrong ones", wrong.indexOf(each))
            .isInstanceOf(FetchException.class)
            .hasMessageStartingWith("shuffle 3 map 9 (index 9) partition 0 from executor 1");
      }
      slot.tile().putBytes(slot.entry(0), right, 0, Entry.SIZE);
      assertThat(readAll(client, 3, blocks("1", block(9, 0)))).hasSize(1);
    }
  }

  private static byte[] entry(Slot slot, int partition) {
    byte[] entry = new byte[Entry.SIZE];
    slot.tile().getBytes(slot.entry(partition), entry, 0, Entry.SIZE);
    return entry;
  }

  @Test
  void mapOutputOfSeveralRunsIsReadWholeOrNotAtAll() throws Exception {
    HandMadeShuffle shuffle = peer.newShuffle(3, 2, 5);
    byte[] first = bytes(10);
    byte[] second = bytes(3 * CHUNK);
    byte[] third = bytes(30);
    shuffle.addRun(9, 2, 3, 0, bytes(1), third);
    shuffle.addRun(9, 0, 3, 0, new byte[0], first);
    Slot last = shuffle.prepareRun(9, 1, 3, Entry.ENCRYPTED, new byte[0], second);
    try (FetchClient client = clientOf(shuffle)) {
      assertThatThrownBy(() -> readAll(client, 3, blocks("1", block(9, 1))))
          .isInstanceOf(FetchException.class)
          .hasMessageContaining("does not hold all runs of the map");

      last.publish();

      List<Got> got = readAll(client, 3, blocks("1", block(9, 1), block(9, 0)));
      assertThat(got)
          .extracting(Got::bytes)
          .satisfiesExactly(
              b -> assertThat(b).isEqualTo(first),
              b -> assertThat(b).isEqualTo(second),
              b -> assertThat(b).isEqualTo(third),
              b -> assertThat(b).hasSize(1));
      assertThat(got.get(1).encrypted()).isTrue();
      assertThat(client.stats().blocks()).containsEntry("shm", 2L);
    }
  }

  @Test
  void aRemovedShuffleFailsTheFetch() throws Exception {
    HandMadeShuffle shuffle = peer.newShuffle(3, 1, 5);
    shuffle.addRun(9, 0, 1, 0, bytes(10));
    try (FetchClient client = clientOf(shuffle)) {
      assertThat(readAll(client, 3, blocks("1", block(9, 0)))).hasSize(1);

      shuffle.remove();

      assertThatThrownBy(() -> readAll(client, 3, blocks("1", block(9, 0))))
          .isInstanceOf(FetchException.class)
          .hasMessageContaining("the shuffle was removed there");
    }
  }

  @Test
  void aShuffleThatCameBackIsLookedUpAgain() throws Exception {
    HandMadeShuffle shuffle = peer.newShuffle(3, 1, 5);
    shuffle.addRun(9, 0, 1, 0, bytes(10));
    Registry registry = new Registry().with("1", peer.descriptor(), shuffle.descriptor());
    try (FetchClient client = client(registry, null, new ShmTransport(ShmTransport.Mode.READ))) {
      readAll(client, 3, blocks("1", block(9, 0)));
      shuffle.remove();
      HandMadeShuffle again = peer.newShuffle(3, 1, 6);
      byte[] bytes = bytes(20);
      again.addRun(10, 0, 1, 0, bytes);
      registry.with("1", peer.descriptor(), again.descriptor());

      List<Got> got = readAll(client, 3, blocks("1", block(10, 0)));

      assertThat(got).singleElement().extracting(Got::bytes).isEqualTo(bytes);
      assertThat(registry.lookups).isEqualTo(2);
    }
  }

  @Test
  void runFilesAreReadInPlace() throws Exception {
    HandMadeShuffle shuffle = peer.newShuffle(3, 2, 5);
    Path file = directory.resolve("run");
    byte[] bytes = bytes(1000);
    shuffle.addFileRun(9, 0, file, bytes(77), bytes);
    Registry registry =
        new Registry().with("1", peer.descriptor(), shuffle.descriptor(), (id, map, run) -> file);
    try (FetchClient client = client(registry, null, new ShmTransport(ShmTransport.Mode.AUTO))) {
      List<Got> got = readAll(client, 3, blocks("1", block(9, 1)));

      assertThat(got)
          .singleElement()
          .satisfies(
              g -> {
                assertThat(g.transport()).isEqualTo("disk");
                assertThat(g.bytes()).isEqualTo(bytes);
              });

      Files.write(file, new byte[5]);
      assertThatThrownBy(() -> readAll(client, 3, blocks("1", block(9, 1))))
          .isInstanceOf(FetchException.class)
          .hasMessageContaining("its run's file is out of reach");
    }
  }

  @ParameterizedTest
  @EnumSource(ShmTransport.Mode.class)
  void anEntryThatPointsOutsideItsRegionFailsTheFetchAlone(ShmTransport.Mode mode)
      throws Exception {
    HandMadeShuffle shuffle = peer.newShuffle(3, 2, 5);
    byte[] good = bytes(100);
    Slot slot = shuffle.addRun(9, 0, 1, 0, bytes(200), good);
    slot.tile().putInt(slot.entry(0), (16 << 20) - 10);
    try (FetchClient client = clientOf(shuffle, mode)) {
      assertThatThrownBy(() -> readAll(client, 3, blocks("1", block(9, 0))))
          .isInstanceOf(FetchException.class)
          .hasMessageContaining("map 9 (index 9) partition 0 from executor 1")
          .hasMessageContaining("READ of 200 bytes at 16777206 of region 0");
      assertThat(client.stats().rereads()).isEqualTo(1);
      assertThat(client.stats().falls()).isEmpty();
      assertThat(readAll(client, 3, blocks("1", block(9, 1))))
          .singleElement()
          .extracting(Got::bytes)
          .isEqualTo(good);
    }
  }

  @Test
  void aChainOfBrokenLengthFailsTheFetchBeforeItCostsMemory() throws Exception {
    HandMadeShuffle shuffle = peer.newShuffle(3, 1, 5);
    Slot slot = shuffle.addRun(9, 0, 1, 0, bytes(3 * CHUNK));
    int lengthAt = slot.entry(0) + 4;
    for (int length : new int[] {0x7ffffff0, -16, 17, 32, 8 << 20}) {
      slot.tile().putInt(lengthAt, length);
      try (FetchClient client = clientOf(shuffle)) {
        assertThatThrownBy(() -> readAll(client, 3, blocks("1", block(9, 0))))
            .as("length %d", length)
            .isInstanceOf(FetchException.class)
            .hasMessageContaining("chain of");
        assertThat(client.buffers().given()).isZero();
      }
    }
  }
}
