package io.verbena.fetch;

import static io.verbena.fetch.Fetching.LIMITS;
import static io.verbena.fetch.Fetching.block;
import static io.verbena.fetch.Fetching.peer;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.verbena.fetch.Fetching.Got;
import io.verbena.fetch.Fetching.Watching;
import io.verbena.store.ShuffleStore;
import io.verbena.transport.verbs.VerbsFixture;
import io.verbena.transport.verbs.VerbsTransport;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Blocks of a real store by RDMA READ, from one open device of this process to another. */
@Tag(VerbsFixture.TAG)
@Timeout(400)
class VerbsFetchTest {
  private static final int SHUFFLE = 3;
  private static final int PARTITIONS = 4;
  private static final int MAPS = 12;
  private static final int TASKS = 4;
  private static final int ROUNDS = 25;

  @TempDir Path directory;
  private VerbsTransport owner;
  private VerbsTransport reader;
  private Stores stores;
  private ShuffleStore store;
  private final Map<BlockId, byte[]> expected = new HashMap<>();
  private final Random random = new Random(23);
  // Ranges of location rows that the last fetch has read.
  private long rows;

  @BeforeEach
  void open() throws Exception {
    owner = VerbsTransport.open(VerbsFixture.settings());
    reader = VerbsTransport.open(VerbsFixture.settings());
    stores = new Stores(directory);
    store = stores.open("1", 8L * Stores.REGION, owner);
  }

  @AfterEach
  void close() {
    reader.close();
    owner.close();
    stores.close();
  }

  private void write() throws IOException {
    for (int map = 0; map < MAPS; map++) {
      byte[][] blocks = new byte[PARTITIONS][];
      for (int partition = 0; partition < PARTITIONS; partition++) {
        blocks[partition] = new byte[1 + random.nextInt(map % 4 == 0 ? 150_000 : 3000)];
        random.nextBytes(blocks[partition]);
        expected.put(block(map, partition), blocks[partition]);
      }
      Stores.write(store, SHUFFLE, map, 0, blocks);
    }
  }

  private FetchClient client(long receiveLimit) {
    return new FetchClient("self", null, List.of(reader), null, stores, receiveLimit, Stores.CHUNK);
  }

  private PeerBlocks wanted(Random order) {
    List<BlockId> ids = new ArrayList<>(expected.keySet());
    Collections.shuffle(ids, order);
    long bytes = expected.values().stream().mapToLong(b -> b.length).sum();
    return new PeerBlocks(peer("1"), ids, bytes);
  }

  @Test
  void allBlocksComeByRdmaAndNothingFalls() throws Exception {
    write();
    try (FetchClient client = client(4 << 20)) {
      List<Got> got = Fetching.readAll(client, SHUFFLE, wanted(random));

      assertThat(got).hasSize(expected.size());
      assertThat(got)
          .allSatisfy(
              each -> {
                assertThat(each.transport()).isEqualTo("verbs");
                assertThat(each.bytes()).isEqualTo(expected.get(each.block()));
              });
      FetchStats stats = client.stats();
      assertThat(stats.falls()).isEmpty();
      assertThat(stats.rereads()).isZero();
      assertThat(stats.bytes())
          .containsOnlyKeys("verbs")
          .containsValue(expected.values().stream().mapToLong(b -> b.length).sum());
    }
  }

  /** One for each block and each range of location rows, and two generation words. */
  @Test
  void workRequestsAreAsManyAsBlocksAndRowsAfterMergingOfNeighbours() throws Exception {
    int partitions = 4;
    int maps = 3;
    for (int map = 0; map < maps; map++) {
      byte[][] blocks = new byte[partitions][1000];
      Stores.write(store, SHUFFLE, map, 0, blocks);
    }
    try (FetchClient client = client(4 << 20)) {
      posted(client, block(0, 0)); // connects and reads the directory

      long apart = posted(client, block(0, 1), block(1, 1), block(2, 1));
      assertThat(apart)
          .as("three blocks apart from each other, their rows, and two generation words")
          .isEqualTo(3 + rows + 2);
      assertThat(rows).as("one a tile").isBetween(1L, (long) maps);
      assertThat(posted(client, block(1, 0), block(1, 1), block(1, 2), block(1, 3)))
          .as("four blocks and four rows next to each other, and two generation words")
          .isEqualTo(1 + 1 + 2);
    }
  }

  private long posted(FetchClient client, BlockId... blocks) throws IOException {
    long before = reader.stats().workRequests();
    long tableReads = client.stats().tableReads();
    long bytes = 1000L * blocks.length;
    assertThat(Fetching.readAll(client, SHUFFLE, new PeerBlocks(peer("1"), List.of(blocks), bytes)))
        .hasSize(blocks.length);
    rows = client.stats().tableReads() - tableReads;
    return reader.stats().workRequests() - before;
  }

  @Test
  void aRemovedShuffleIsNotRead() throws Exception {
    write();
    try (FetchClient client = client(4 << 20);
        SegmentIterator segments =
            client.fetch(SHUFFLE, List.of(wanted(random)), LIMITS, new Watching())) {
      assertThat(segments.next()).isNotNull();
      store.removeShuffle(SHUFFLE);
      assertThatThrownBy(
              () -> {
                for (FetchedSegment next = segments.next(); next != null; next = segments.next()) {
                  next.stream().readAllBytes();
                }
                throw new FetchEndedException();
              })
          .satisfiesAnyOf(
              // All READs may have been posted, and judged, before the removal.
              e -> assertThat(e).isInstanceOf(FetchEndedException.class),
              e -> assertThat(e).isInstanceOf(FetchException.class));
    }
  }

  private static final class FetchEndedException extends Exception {
    private static final long serialVersionUID = 1L;
  }

  /** One buffer for reading ahead, so that each goes from task to task at once. */
  @Test
  void buffersOfTasksThatAreKilledAreNotGivenToOthersEarly() throws Exception {
    write();
    AtomicReference<Throwable> wrong = new AtomicReference<>();
    AtomicInteger whole = new AtomicInteger();
    AtomicInteger killed = new AtomicInteger();
    try (FetchClient client = client(1)) {
      List<Thread> tasks = new ArrayList<>();
      for (int i = 0; i < TASKS; i++) {
        long seed = i;
        boolean dies = i % 2 == 0;
        Thread task =
            new Thread(
                () -> {
                  Random mine = new Random(seed);
                  try {
                    for (int round = 0; round < ROUNDS; round++) {
                      (read(client, mine, dies) ? whole : killed).incrementAndGet();
                    }
                  } catch (Throwable e) {
                    wrong.set(e);
                  }
                });
        task.start();
        tasks.add(task);
      }
      for (Thread task : tasks) {
        task.join();
      }
      assertThat(wrong.get()).isNull();
      assertThat(whole.get()).isGreaterThanOrEqualTo(TASKS / 2 * ROUNDS);
      assertThat(killed.get()).isPositive();
      assertThat(client.stats().checksumFailures()).isZero();
      assertThat(client.stats().falls()).isEmpty();
      assertThat(client.buffers().given()).as("all buffers came back").isZero();
    }
  }

  /** Reads all blocks and checks them; a task that dies stops somewhere, with READs in flight. */
  private boolean read(FetchClient client, Random mine, boolean dies) throws IOException {
    int last = dies ? mine.nextInt(expected.size()) : Integer.MAX_VALUE;
    try (SegmentIterator segments =
        client.fetch(SHUFFLE, List.of(wanted(mine)), LIMITS, new Watching())) {
      int seen = 0;
      for (FetchedSegment next = segments.next(); next != null; next = segments.next()) {
        byte[] bytes = next.stream().readAllBytes();
        if (!Arrays.equals(bytes, expected.get(next.block()))) {
          throw new AssertionError("wrong bytes of " + next.block());
        }
        if (++seen > last) {
          return false;
        }
      }
      assertThat(seen).isEqualTo(expected.size());
      return true;
    }
  }
}
