package io.verbena.fetch;

import static io.verbena.fetch.Fetching.block;
import static io.verbena.fetch.Fetching.blocks;
import static io.verbena.fetch.Fetching.client;
import static io.verbena.fetch.Fetching.readAll;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.verbena.fetch.Fetching.Registry;
import io.verbena.store.GiveBackTest;
import io.verbena.store.ShuffleStore;
import io.verbena.transport.verbs.VerbsFixture;
import io.verbena.transport.verbs.VerbsTransport;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Regions that are registered with a device are given back too; readers come too late or not. */
@Tag(VerbsFixture.TAG)
@Timeout(200)
class VerbsGiveBackTest {
  private static final int OLD = 3;
  private static final int LIVING = 4;
  private static final int BLOCK = 1_000_000;
  private static final int MAPS = 17;

  @TempDir Path folder;
  private VerbsTransport owner;
  private Stores stores;
  private ShuffleStore store;
  private Registry old;

  @BeforeEach
  void open() throws Exception {
    owner = VerbsTransport.open(VerbsFixture.settings());
    stores = new Stores(folder);
    store = stores.open("1", 8L * Stores.REGION, owner);
    for (int map = 0; map < MAPS; map++) {
      Stores.write(store, OLD, map, 0, filled(map));
    }
    Stores.write(store, LIVING, 0, 0, filled(77));
    old = new Registry().with("1", store.descriptor(), store.describe(OLD).orElseThrow());
  }

  @AfterEach
  void close() {
    owner.close();
    stores.close();
  }

  private static byte[][] filled(int with) {
    byte[][] blocks = new byte[1][BLOCK];
    Arrays.fill(blocks[0], (byte) with);
    return blocks;
  }

  /** KiB that devices have pinned of this process's memory. */
  private static long pinned() throws IOException {
    return Files.readAllLines(Path.of("/proc/self/status")).stream()
        .filter(line -> line.startsWith("VmPin:"))
        .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")))
        .findFirst()
        .orElseThrow();
  }

  private static void assertCameByRdma(FetchClient client, int shuffle, int map, int with)
      throws IOException {
    assertThat(readAll(client, shuffle, blocks("1", block(map, 0))))
        .singleElement()
        .satisfies(
            got -> {
              assertThat(got.transport()).isEqualTo("verbs");
              assertThat(got.bytes()).containsOnly(with).hasSize(BLOCK);
            });
  }

  @Test
  void memoryIsUnpinnedAndWhoComesLateLosesNoConnection() throws Exception {
    long before = pinned();
    store.removeShuffle(OLD);
    GiveBackTest.giveBackIdle(store);
    assertThat(before - pinned())
        .as("KiB unpinned: of five regions the living shuffle needs two, and one is kept")
        .isGreaterThanOrEqualTo(2 * Stores.REGION / 1024);
    VerbsTransport reader = VerbsTransport.open(VerbsFixture.settings());
    PeerDirectory both =
        (shuffle, executors) ->
            shuffle == OLD ? old.lookup(shuffle, executors) : stores.lookup(shuffle, executors);
    try (FetchClient client = client(both, null, reader)) {
      assertCameByRdma(client, LIVING, 0, 77);

      assertThatThrownBy(() -> readAll(client, OLD, blocks("1", block(7, 0))))
          .isInstanceOf(FetchException.class)
          .hasMessageContaining("the shuffle was removed there");

      assertCameByRdma(client, LIVING, 0, 77);
      assertThat(client.stats().falls()).isEmpty();
    }
  }

  /** In the middle of a fetch the shuffle was seen just now: the device refuses the READ. */
  @Test
  void aReadThatMeetsMemoryGivenBackFailsAndAFreshConnectionIsAsGoodAsBefore() throws Exception {
    FetchLimits one = new FetchLimits(1, 1, 1, Fetching.LIMITS.timeout());
    // In the middle of the regions, which are the ones that go.
    BlockId[] wanted = {block(9, 0), block(10, 0), block(11, 0)};
    try (FetchClient client = client(old, null, VerbsTransport.open(VerbsFixture.settings()));
        SegmentIterator segments =
            client.fetch(OLD, List.of(blocks("1", wanted)), one, new Fetching.Watching())) {
      assertThat(Fetching.read(segments.next()).bytes()).containsOnly(9);
      store.removeShuffle(OLD);
      GiveBackTest.giveBackIdle(store);

      assertThatThrownBy(
              () -> {
                for (int i = 1; i < wanted.length; i++) {
                  Fetching.read(segments.next());
                }
              })
          .isInstanceOf(FetchException.class)
          .hasMessageContaining("remote access error")
          .hasMessageContaining("has given the memory of a removed shuffle back");
    }
    try (FetchClient client = client(stores, null, VerbsTransport.open(VerbsFixture.settings()))) {
      assertCameByRdma(client, LIVING, 0, 77);
      // Memory that is made anew has new keys.
      for (int map = 0; map < MAPS; map++) {
        Stores.write(store, OLD, map, 0, filled(100 + map));
      }
      for (int map = 0; map < MAPS; map++) {
        assertCameByRdma(client, OLD, map, 100 + map);
      }
      assertThat(client.stats().falls()).isEmpty();
    }
  }
}
