package io.verbena.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

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
    fixture.announceFailure = new IOException("the shuffle is gone");
    assertThatThrownBy(() -> StoreFixture.write(store, 1, 1, blocks(10)))
        .isInstanceOf(IOException.class)
        .hasMessage("the shuffle is gone");
    assertThat(store.stats().poolBytes()).isZero();
    assertThat(store.describe(1)).isEmpty();
    fixture.announceFailure = null;
    StoreFixture.write(store, 1, 1, blocks(10));
    assertThat(fixture.announcements).hasValue(2);
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
}
