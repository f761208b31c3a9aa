package io.verbena.fetch;

import static io.verbena.fetch.Fetching.LIMITS;
import static io.verbena.fetch.Fetching.block;
import static io.verbena.fetch.Fetching.blocks;
import static io.verbena.fetch.Fetching.readAll;
import static org.assertj.core.api.Assertions.assertThat;

import io.verbena.fetch.Fetching.Got;
import io.verbena.fetch.Fetching.Watching;
import io.verbena.store.RemoteAccess;
import io.verbena.store.ShuffleStore;
import io.verbena.transport.AsyncOverShm;
import io.verbena.transport.Transport;
import io.verbena.transport.verbs.VerbsFixture;
import io.verbena.transport.verbs.VerbsTransport;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Receive buffers that are far fewer than what a reducer would like to have in flight: it goes on
 * in turns, within the limit, and never waits for ever.
 */
@Timeout(120)
class ReceiveLimitTest {
  private static final int SHUFFLE = 3;
  private static final int PARTITIONS = 2;
  private static final List<String> EXECUTORS = List.of("1", "2", "3");
  private static final int MAPS = 2 * EXECUTORS.size();
  private static final int BLOCKS_OF_EACH = 2 * PARTITIONS;
  private static final int READERS = 3;
  private static final int LARGE = 3 << 20;
  private static final int SMALL = 100_000;

  @TempDir Path folder;
  private final Random random = new Random(31);
  private final byte[][][] expected = new byte[MAPS][PARTITIONS][];
  private Stores stores;

  @AfterEach
  void close() {
    stores.close();
  }

  private void write(Callable<RemoteAccess> remote) throws Exception {
    stores = new Stores(folder);
    for (String executor : EXECUTORS) {
      ShuffleStore store = stores.open(executor, 8L * Stores.REGION, remote.call());
      for (int map = EXECUTORS.indexOf(executor); map < MAPS; map += EXECUTORS.size()) {
        for (int partition = 0; partition < PARTITIONS; partition++) {
          expected[map][partition] = new byte[map < EXECUTORS.size() ? LARGE : SMALL];
          random.nextBytes(expected[map][partition]);
        }
        Stores.write(store, SHUFFLE, map, 0, expected[map]);
      }
    }
  }

  private FetchClient client(Transport transport, long limit) {
    return new FetchClient("self", null, List.of(transport), null, stores, limit, Stores.CHUNK);
  }

  private static PeerBlocks wanted(String executor) {
    List<BlockId> ids = new ArrayList<>();
    for (int map = EXECUTORS.indexOf(executor); map < MAPS; map += EXECUTORS.size()) {
      for (int partition = 0; partition < PARTITIONS; partition++) {
        ids.add(block(map, partition));
      }
    }
    return blocks(executor, ids.toArray(new BlockId[0]));
  }

  private static PeerBlocks[] wantedOfAll() {
    return EXECUTORS.stream().map(ReceiveLimitTest::wanted).toArray(PeerBlocks[]::new);
  }

  private void assertRight(Got got) {
    assertThat(Arrays.equals(got.bytes(), bytes(got.block()))).as("%s", got.block()).isTrue();
  }

  private byte[] bytes(BlockId id) {
    return expected[(int) id.mapId()][id.partition()];
  }

  /** Buffers as the client's stock tells them. */
  private static long buffers(long bytes) {
    return bytes / Batch.STEP;
  }

  private void assertComesInTurns(Transport transport, long limit) throws IOException {
    try (FetchClient client = client(transport, limit)) {
      assertThat(client.buffers().room()).isEqualTo(Batch.STEP);
      Watching watching = new Watching();

      List<Got> got = readAll(client, SHUFFLE, LIMITS, watching, wantedOfAll());

      assertThat(got).hasSize(MAPS * PARTITIONS).allSatisfy(this::assertRight);
      assertThat(client.buffers().most())
          .as("most buffers out at a time")
          .isBetween(2, (int) Math.max(2, buffers(limit)));
      assertThat(client.buffers().given()).as("all came back").isZero();
      assertThat(watching.waited).as("time waited").isPositive();
      assertThat(client.stats().falls()).isEmpty();
      assertThat(client.stats().rereads()).isZero();
    }
  }

  /** Smaller than all blocks, than one block, than two buffers, and than a single buffer. */
  @ParameterizedTest
  @ValueSource(longs = {4 << 20, 1 << 20, 2 * Batch.STEP, Batch.STEP, 1})
  void aSmallLimitIsKeptAndAllBlocksCome(long limit) throws Exception {
    write(() -> RemoteAccess.NONE);
    assertComesInTurns(new AsyncOverShm().late(), limit);
  }

  @Test
  @Tag(VerbsFixture.TAG)
  void aSmallLimitIsKeptByRdmaAndAllBlocksCome() throws Exception {
    List<VerbsTransport> owners = new ArrayList<>();
    try {
      write(
          () -> {
            owners.add(VerbsTransport.open(VerbsFixture.settings()));
            return owners.get(owners.size() - 1);
          });
      for (long limit : List.of(4L << 20, 1L << 20, 1L)) {
        assertComesInTurns(VerbsTransport.open(VerbsFixture.settings()), limit);
      }
    } finally {
      owners.forEach(VerbsTransport::close);
    }
  }

  @Test
  void readingAheadUsesTheLimitButNotMore() throws Exception {
    write(() -> RemoteAccess.NONE);
    AsyncOverShm transport = new AsyncOverShm();
    try (FetchClient client = client(transport, 1 << 20);
        SegmentIterator segments =
            client.fetch(SHUFFLE, List.of(wanted("1")), LIMITS, new Watching())) {
      assertRight(Fetching.read(segments.next()));

      assertThat(client.buffers().most()).as("of four").isBetween(3, 4);
    }
  }

  /** As a merge join has them on one thread: whoever holds the last buffer cannot give it first. */
  @Test
  void twoReadersThatAreReadByTurnsOnOneThreadBothComeToTheirEnd() throws Exception {
    write(() -> RemoteAccess.NONE);
    try (FetchClient client = client(new AsyncOverShm(), Batch.STEP);
        SegmentIterator left = client.fetch(SHUFFLE, List.of(wanted("1")), LIMITS, new Watching());
        SegmentIterator right =
            client.fetch(SHUFFLE, List.of(wanted("2")), LIMITS, new Watching())) {
      for (int i = 0; i < BLOCKS_OF_EACH; i++) {
        FetchedSegment one = left.next();
        FetchedSegment other = right.next();
        for (int at = 0; at < Math.min(one.length(), other.length()); at += Stores.CHUNK) {
          assertThat(one.stream().read()).isEqualTo(bytes(one.block())[at] & 0xff);
          assertThat(other.stream().read()).isEqualTo(bytes(other.block())[at] & 0xff);
          one.stream().skipNBytes(Math.min(Stores.CHUNK - 1, one.length() - at - 1));
          other.stream().skipNBytes(Math.min(Stores.CHUNK - 1, other.length() - at - 1));
        }
      }
      assertThat(left.next()).isNull();
      assertThat(right.next()).isNull();
      assertThat(client.buffers().most()).isLessThanOrEqualTo(4);
    }
  }

  @Test
  void manyReadersWithOneBufferBetweenThemAllComeToTheirEnd() throws Exception {
    write(() -> RemoteAccess.NONE);
    ExecutorService tasks = Executors.newFixedThreadPool(READERS);
    try (FetchClient client = client(new AsyncOverShm(), Batch.STEP)) {
      List<Future<List<Got>>> results = new ArrayList<>();
      for (int i = 0; i < READERS; i++) {
        results.add(tasks.submit(() -> readAll(client, SHUFFLE, wantedOfAll())));
      }
      for (Future<List<Got>> each : results) {
        assertThat(each.get(60, TimeUnit.SECONDS))
            .hasSize(MAPS * PARTITIONS)
            .allSatisfy(this::assertRight);
      }
      assertThat(client.buffers().most()).isLessThanOrEqualTo(2 * READERS);
      assertThat(client.buffers().given()).isZero();
    } finally {
      tasks.shutdownNow();
    }
  }
}
