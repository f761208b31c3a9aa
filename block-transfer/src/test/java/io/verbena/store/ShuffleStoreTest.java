package io.verbena.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.verbena.memory.MemoryView;
import io.verbena.memory.Pool;
import io.verbena.table.Entry;
import io.verbena.table.RemoteKey;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ShuffleStoreTest {
  @TempDir Path root;
  private StoreFixture fixture;
  private ShuffleStore store;
  private final Random random = new Random(7);

  @BeforeEach
  void open() throws IOException {
    fixture = new StoreFixture(root);
    store = fixture.open();
  }

  @AfterEach
  void close() {
    store.close();
  }

  private byte[][] blocks(int... lengths) {
    byte[][] blocks = new byte[lengths.length][];
    for (int i = 0; i < lengths.length; i++) {
      blocks[i] = StoreFixture.bytes(random, lengths[i]);
    }
    return blocks;
  }

  @Test
  void memoryThatANetworkAdapterPinsHasAllOfItsSpaceBefore() throws IOException {
    store.close();
    Path shm = Files.createTempDirectory(Path.of("/dev/shm"), "verbena-test-");
    AtomicReference<Long> taken = new AtomicReference<>();
    fixture.memory = List.of(shm);
    fixture.regionSize = 4 * StoreFixture.MIB;
    fixture.remote =
        new RemoteAccess() {
          @Override
          public List<String> addresses() {
            return List.of("192.0.2.1:1");
          }

          @Override
          public RemoteKey export(MemoryView memory) {
            if (memory.capacity() == fixture.regionSize) {
              taken.set(bytesOnTmpfs(shm));
            }
            return new RemoteKey(memory.address(), 1);
          }

          @Override
          public void withdraw(MemoryView memory) {}

          @Override
          public void serve(long nonceHigh, long nonceLow, MemoryView control) {}
        };
    try (ShuffleStore pinned = fixture.open()) {
      StoreFixture.write(pinned, 3, 17, blocks(10));
      assertThat(taken.get()).isGreaterThanOrEqualTo(4L * StoreFixture.MIB);
      assertThat(pinned.stats().poolReserved()).isEqualTo(4L * StoreFixture.MIB);
    }
    Files.delete(shm);
  }

  /** Space that the files below a folder take, in bytes. */
  private static long bytesOnTmpfs(Path folder) {
    try {
      Process du =
          new ProcessBuilder("du", "-s", "--block-size=1", folder.toString())
              .redirectError(ProcessBuilder.Redirect.INHERIT)
              .start();
      String said = new String(du.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      return Long.parseLong(said.substring(0, said.indexOf("\t")));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Test
  void writtenBlocksAreReadBack() throws IOException {
    byte[][] blocks = blocks(10, 0, 100_000, 65536, 1, 300_000);
    StoreFixture.write(store, 3, 17, blocks);
    try (ShuffleLease lease = store.lease(3).orElseThrow()) {
      for (int partition = 0; partition < blocks.length; partition++) {
        assertThat(StoreFixture.block(lease, 17, partition)).isEqualTo(blocks[partition]);
      }
      assertThat(lease.mapIds()).containsExactly(17);
      assertThat(lease.block(18, 0)).isEmpty();
    }
    assertThat(fixture.announced).containsExactly(store.describe(3).orElseThrow());
    assertThat(store.stats().runsInPool()).isEqualTo(1);
  }

  @Test
  void removedShuffleLeavesNothing() throws IOException {
    StoreFixture.write(store, 3, 17, blocks(10, 0, 100_000));
    store.removeShuffle(3);
    assertThat(store.stats().poolBytes()).isZero();
    assertThat(store.stats().tableBytes()).isZero();
    assertThat(store.describe(3)).isEmpty();
    assertThat(store.lease(3)).isEmpty();
    store.removeShuffle(3);
    store.removeShuffle(99);
  }

  @Test
  void fullPoolSendsRunsToTheirFiles() throws IOException {
    store.close();
    fixture.limit = 2 * StoreFixture.MIB;
    store = fixture.open();
    byte[][] blocks = blocks(700_000, 300_000, 0, 5);
    for (long map = 0; map < 6; map++) {
      StoreFixture.write(store, 1, map, blocks);
    }
    try (ShuffleLease lease = store.lease(1).orElseThrow()) {
      for (long map = 0; map < 6; map++) {
        for (int partition = 0; partition < blocks.length; partition++) {
          assertThat(StoreFixture.block(lease, map, partition)).isEqualTo(blocks[partition]);
        }
      }
    }
    StoreStats stats = store.stats();
    assertThat(stats.runsOnDisk()).isPositive();
    assertThat(stats.diskBytes()).isPositive();
    assertThat(stats.poolReserved()).isLessThanOrEqualTo(3 * StoreFixture.MIB);
    store.removeShuffle(1);
    assertThat(store.stats().diskBytes()).isZero();
    assertThat(StoreFixture.files(root.resolve("runs"))).isEmpty();
  }

  @Test
  void abortedOutputLeavesNothing() throws IOException {
    try (MapOutput output = store.newMapOutput(1, 4, 5)) {
      RunWriter run = output.newRun();
      run.partition(0, 0, 0);
      run.write(new byte[500_000], 0, 500_000);
      run.finish();
      run = output.newRun();
      run.partition(2, 0, 0);
      run.write(new byte[500_000], 0, 500_000);
    }
    assertThat(store.stats().poolBytes()).isZero();
    assertThat(store.describe(1)).isEmpty();
    assertThat(fixture.announcements).hasValue(0);
  }

  @Test
  void failedAnnouncementFailsTheCommitAndTheNextOneAsksAgain() throws IOException {
    fixture.beforeAnnouncing =
        () -> {
          throw new IOException("the shuffle is gone");
        };
    assertThatThrownBy(() -> StoreFixture.write(store, 1, 1, blocks(10)))
        .isInstanceOf(IOException.class)
        .hasMessage("the shuffle is gone");
    assertThat(store.stats().poolBytes()).isZero();
    assertThat(store.describe(1)).isEmpty();
    fixture.beforeAnnouncing = () -> null;
    StoreFixture.write(store, 1, 1, blocks(10));
    assertThat(fixture.announcements).hasValue(1);
  }

  @Test
  void usingAClosedStoreIsANamedError() throws IOException {
    MapOutput output = store.newMapOutput(1, 1, 1);
    store.close();
    assertThatThrownBy(() -> store.newMapOutput(1, 1, 2))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageStartingWith("the shuffle store of app-1")
        .hasMessageEndingWith("is closed");
    output.close();
    output.close();
    store.close();
  }

  @Test
  void closeLeavesNoFile() throws IOException {
    StoreFixture.write(store, 3, 17, blocks(10, 0, 100_000));
    assertThat(StoreFixture.files(fixture.memory.get(0))).isNotEmpty();
    store.close();
    assertThat(StoreFixture.files(fixture.memory.get(0))).isEmpty();
    assertThat(StoreFixture.files(fixture.local.get(0))).isEmpty();
    assertThat(List.of(store.stats().poolBytes())).containsExactly(0L);
  }

  @Test
  void mapOutputIsPublishedOnce() throws IOException {
    StoreFixture.write(store, 1, 7, blocks(10));
    long used = store.stats().poolBytes();
    assertThatThrownBy(() -> StoreFixture.write(store, 1, 7, blocks(20)))
        .isInstanceOf(IOException.class)
        .hasMessage("map 7 of shuffle 1 was published before");
    assertThat(store.stats().poolBytes()).isEqualTo(used);
    try (ShuffleLease lease = store.lease(1).orElseThrow()) {
      assertThat(lease.block(7, 0).orElseThrow().get(0).length()).isEqualTo(10);
    }
  }

  @Test
  void anotherNumberOfPartitionsIsRefused() throws IOException {
    StoreFixture.write(store, 1, 7, blocks(10, 5));
    assertThatThrownBy(() -> StoreFixture.write(store, 1, 8, blocks(10)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("shuffle 1 has 2 partitions here, not 1");
  }

  @Test
  void memoryOfRemovedShufflesIsUsedAgain() throws IOException {
    long reserved = 0;
    for (int round = 0; round < 20; round++) {
      for (long map = 0; map < 4; map++) {
        StoreFixture.write(store, round, map, blocks(50_000, 0, 100_000, 70_000));
      }
      store.removeShuffle(round);
      reserved = round == 0 ? store.stats().poolReserved() : reserved;
    }
    assertThat(store.stats().poolReserved()).isEqualTo(reserved);
    assertThat(reserved).isLessThan(4 * 220_000 * 11 / 10);
  }

  @Test
  void publishingGoesOnWithoutPoolMemory() throws IOException {
    store.close();
    fixture.limit = 1;
    store = fixture.open();
    byte[][] blocks = new byte[2000][0];
    blocks[1999] = new byte[100];
    for (long map = 0; map < 40; map++) {
      StoreFixture.write(store, 1, map, blocks);
    }
    StoreStats stats = store.stats();
    assertThat(stats.runsOnDisk()).isEqualTo(40);
    assertThat(stats.poolBytes()).isEqualTo(stats.tableBytes()).isGreaterThan(StoreFixture.MIB);
    assertThat(store.descriptor().directories().get(1)).startsWith("" + fixture.local.get(0));
    assertThat(StoreFixture.files(fixture.local.get(0)))
        .anyMatch(path -> path.getFileName().toString().startsWith("region-"));
    try (ShuffleLease lease = store.lease(1).orElseThrow()) {
      assertThat(StoreFixture.block(lease, 39, 1999)).isEqualTo(blocks[1999]);
    }
  }

  /** Spark takes more than 16 million partitions, whose entries are more than a usual region. */
  @Test
  void tableLargerThanARegionGetsRegionsOfItsOwnOnDisk() throws IOException {
    byte[][] blocks = new byte[70_000][0];
    blocks[69_999] = StoreFixture.bytes(random, 300);
    for (long map = 0; map < 3; map++) {
      StoreFixture.write(store, 1, map, blocks);
    }
    StoreFixture.write(store, 2, 7, blocks(100));
    assertThat(store.stats().tableBytes()).isGreaterThan(3 * 70_000 * 16);
    assertThat(StoreFixture.files(fixture.local.get(0)))
        .filteredOn(path -> path.getFileName().toString().startsWith("region-"))
        .hasSize(3);
    try (ShuffleLease lease = store.lease(1).orElseThrow()) {
      assertThat(StoreFixture.block(lease, 2, 69_999)).isEqualTo(blocks[69_999]);
    }
    store.removeShuffle(1);
    store.removeShuffle(2);
    assertThat(store.stats().poolBytes()).isZero();
  }

  @Test
  void tableThatNoRegionCanHoldIsRefused() {
    int partitions = Pool.MAX_TABLE_BLOCK / Entry.SIZE;
    try (MapOutput output = store.newMapOutput(1, partitions, 7)) {
      assertThatThrownBy(output::commit)
          .isInstanceOf(IOException.class)
          .hasMessageContaining("a location table of " + partitions + " partitions needs")
          .hasMessageContaining("use fewer partitions");
    }
  }

  /**
   * Whatever number of map outputs an executor holds. Not for a single one: its second column is
   * empty, and a table without that room would need a tile and a READ for each of its first runs.
   */
  @ParameterizedTest
  @ValueSource(ints = {64, 512, 2000})
  void tablesTakeAtMost24BytesABlock(int partitions) throws IOException {
    StoreFixture large = new StoreFixture(Files.createDirectory(root.resolve("large")));
    large.regionSize = 256 * StoreFixture.MIB;
    large.limit = 1L << 30;
    byte[][] blocks = new byte[partitions][0];
    try (ShuffleStore measured = large.open()) {
      StoreFixture.write(measured, 1, 0, blocks);
      assertThat(measured.stats().tableBytes()).isBetween(32L * partitions, 40L * partitions);
      for (int maps = 2; maps <= 200; maps++) {
        StoreFixture.write(measured, 1, maps, blocks);
        assertThat(measured.stats().tableBytes())
            .as("table of %d map outputs", maps)
            .isLessThanOrEqualTo(24L * maps * partitions);
      }
    }
  }

  /** Offsets as in the documented layout: one tile of two slots, the first of them in use. */
  private MemoryView entry(int shuffleId, int partition) {
    ShuffleDescriptor shuffle = store.describe(shuffleId).orElseThrow();
    MemoryView directory = store.pool().memory(shuffle.directoryRegion());
    int record = shuffle.directoryOffset() + 64;
    int tile = directory.getInt(record + 8);
    return store
        .pool()
        .memory(directory.getInt(record + 4))
        .slice(tile + 64 + 2 * 32 + partition * 2 * 16, 16);
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2})
  void theOwnerNoticesWhicheverBitOfItsOwnEntryFlips(int partition) throws IOException {
    // A piece, a chain of pieces, no bytes.
    byte[][] blocks = {bytes(1000), bytes(3 * fixture.chunkSize), new byte[0]};
    StoreFixture.write(store, 1, 7, blocks);
    MemoryView entry = entry(1, partition);
    try (ShuffleLease lease = store.lease(1).orElseThrow()) {
      for (int bit = 0; bit < 128; bit++) {
        boolean place = bit < 32 || (bit >= 96 && bit < 112);
        if (partition == 2 && place) {
          continue; // of no bytes
        }
        byte right = entry.getByte(bit / 8);
        entry.putByte(bit / 8, (byte) (right ^ 1 << bit % 8));
        assertThatThrownBy(() -> StoreFixture.block(lease, 7, partition))
            .as("with bit %d flipped", bit)
            .isInstanceOfAny(IOException.class, AssertionError.class);
        entry.putByte(bit / 8, right);
      }
      assertThat(StoreFixture.block(lease, 7, partition)).isEqualTo(blocks[partition]);
    }
  }

  private static byte[] bytes(int length) {
    return StoreFixture.bytes(new Random(length), length);
  }

  @Test
  void wrongOrderOfPartitionsAndUseAfterTheEndAreNamed() throws IOException {
    try (MapOutput output = store.newMapOutput(1, 4, 7)) {
      RunWriter run = output.newRun();
      assertThatThrownBy(() -> run.write(new byte[1], 0, 1))
          .isInstanceOf(IllegalStateException.class)
          .hasMessage("no partition was begun in run 0 of the output of map 7 in shuffle 1");
      run.partition(2, 0, 0);
      assertThatThrownBy(() -> run.partition(2, 0, 0))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessage("partition=2 after partition 2 of 4: partitions come in ascending order");
      assertThatThrownBy(() -> run.partition(4, 0, 0)).isInstanceOf(IllegalArgumentException.class);
      assertThatThrownBy(output::newRun)
          .isInstanceOf(IllegalStateException.class)
          .hasMessage("a run of the output of map 7 in shuffle 1 is not finished");
      run.finish();
      run.finish();
      assertThatThrownBy(() -> run.writeFromPage(new byte[1], 16, 1))
          .isInstanceOf(IllegalStateException.class)
          .hasMessage("run 0 of the output of map 7 in shuffle 1 is finished");
      output.commit();
      assertThatThrownBy(output::commit)
          .isInstanceOf(IllegalStateException.class)
          .hasMessage("the output of map 7 in shuffle 1 is closed");
    }
  }

  @Test
  void filesArePrivate() throws IOException {
    StoreFixture.write(store, 1, 7, blocks(10));
    for (Path path : StoreFixture.files(fixture.memory.get(0))) {
      String expected = Files.isDirectory(path) ? "rwx------" : "rw-------";
      assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(path)))
          .as(path.toString())
          .isEqualTo(expected);
    }
  }

  @Test
  void interruptedThreadOpensAStoreAllTheSame() throws IOException {
    Thread.currentThread().interrupt();
    try (ShuffleStore another = fixture.open()) {
      assertThat(Thread.interrupted()).isTrue();
      StoreFixture.write(another, 1, 7, blocks(10));
      assertThat(another.describe(1)).isPresent();
    }
  }

  @Test
  void runThatFailsOnDiskLeavesNothing() throws IOException {
    store.close();
    fixture.limit = 1;
    fixture.runFolder = root.resolve("missing");
    store = fixture.open();
    assertThatThrownBy(() -> StoreFixture.write(store, 1, 7, blocks(10)))
        .isInstanceOf(NoSuchFileException.class)
        .hasMessageContaining("missing");
    assertThat(store.stats().poolBytes()).isZero();
    assertThat(store.stats().diskBytes()).isZero();
    assertThat(store.describe(1)).isEmpty();
  }
}
