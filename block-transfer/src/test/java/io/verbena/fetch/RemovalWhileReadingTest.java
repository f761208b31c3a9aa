package io.verbena.fetch;

import static io.verbena.fetch.Fetching.LIMITS;
import static io.verbena.fetch.Fetching.peer;
import static org.assertj.core.api.Assertions.assertThat;

import io.verbena.fetch.Fetching.Watching;
import io.verbena.memory.OnTmpfs;
import io.verbena.store.ShuffleStore;
import io.verbena.transport.AsyncOverShm;
import io.verbena.transport.Transport;
import io.verbena.transport.shm.ShmTransport;
import io.verbena.transport.verbs.VerbsFixture;
import io.verbena.transport.verbs.VerbsTransport;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * One executor removes shuffles and lets others reuse their memory while readers are in the middle
 * of blocks. Readers get the right bytes or a failure, never the other's.
 */
@Timeout(300)
class RemovalWhileReadingTest {
  private static final int ROUNDS = 2000;
  private static final int RDMA_ROUNDS = 300;
  private static final int PARTITIONS = 3;
  private static final long STEP = 0x9e3779b97f4a7c15L;
  private static final int MAPS = 3;

  @TempDir(factory = OnTmpfs.class)
  Path directory;

  private Stores stores;
  private ShuffleStore store;
  private StoreService service;

  @BeforeEach
  void open() throws IOException {
    stores = new Stores(directory);
    // Room for two shuffles alive at a time: each new one takes the memory of one just removed.
    store = stores.open("1", 4L * Stores.REGION);
    service = new StoreService(store);
  }

  @AfterEach
  void close() {
    service.close();
    stores.close();
  }

  /** A shuffle's bytes, which tell shuffle and round: every byte is a function of both. */
  private static byte[] bytes(int shuffle, int round, long map, int partition, int run) {
    long state = (((shuffle * 31L + round) * 31 + map) * 31 + partition * 7L + run) * STEP + 1;
    int largest = partition == 0 && map % 100 == 0 ? 150_000 : 3000;
    byte[] bytes = new byte[1 + (int) Long.remainderUnsigned(state, largest)];
    ByteBuffer buffer = ByteBuffer.wrap(bytes);
    for (long x = state; buffer.remaining() >= Long.BYTES; x = (x ^ x >>> 29) * STEP) {
      buffer.putLong(x);
    }
    return bytes;
  }

  private void write(int shuffle, int round) throws IOException {
    for (int map = 0; map < MAPS; map++) {
      byte[][][] runs = new byte[2][PARTITIONS][];
      for (int partition = 0; partition < PARTITIONS; partition++) {
        for (int run = 0; run < 2; run++) {
          runs[run][partition] = bytes(shuffle, round, mapId(round, map), partition, run);
        }
      }
      Stores.write(store, shuffle, mapId(round, map), 0, runs);
    }
  }

  private static long mapId(int round, int map) {
    return round * 100L + map;
  }

  @ParameterizedTest
  @ValueSource(strings = {"READ", "MAPPED", "AUTO", "async", "netty", "local"})
  void readersGetTheRightBytesOrAFailure(String way) throws Exception {
    Transport transport =
        switch (way) {
          case "netty", "local" -> null;
          case "async" -> new AsyncOverShm();
          default -> new ShmTransport(ShmTransport.Mode.valueOf(way));
        };
    readAndRemove(way, transport, ROUNDS);
  }

  @Test
  @Tag(VerbsFixture.TAG)
  void readersByRdmaGetTheRightBytesOrAFailure() throws Exception {
    stores.close();
    try (VerbsTransport owner = VerbsTransport.open(VerbsFixture.settings())) {
      stores = new Stores(directory.resolve("rdma"));
      store = stores.open("1", 4L * Stores.REGION, owner);
      readAndRemove("verbs", VerbsTransport.open(VerbsFixture.settings()), RDMA_ROUNDS);
    }
  }

  private void readAndRemove(String way, Transport transport, int rounds) throws Exception {
    AtomicInteger whole = new AtomicInteger();
    AtomicInteger failed = new AtomicInteger();
    AtomicReference<Throwable> wrong = new AtomicReference<>();
    CountDownLatch stop = new CountDownLatch(1);
    // Round of each of the two shuffles, as a driver would know it.
    AtomicInteger[] current = {new AtomicInteger(-1), new AtomicInteger(-1)};
    try (FetchClient client =
        new FetchClient(
            way.equals("local") ? "1" : "2",
            way.equals("local") ? store : null,
            transport == null ? List.of() : List.of(transport),
            way.equals("netty") ? service : null,
            stores,
            4 << 20,
            Stores.CHUNK)) {
      List<Thread> readers = new ArrayList<>();
      for (int i = 0; i < 2; i++) {
        long seed = 1000L + i;
        Thread reader =
            new Thread(
                () -> {
                  try {
                    read(client, new Random(seed), current, stop, whole, failed);
                  } catch (Throwable e) {
                    wrong.compareAndSet(
                        null, new AssertionError(way + ", reader with seed " + seed, e));
                    stop.countDown();
                  }
                });
        reader.start();
        readers.add(reader);
      }
      for (int round = 0; round < rounds && stop.getCount() > 0; round++) {
        int shuffle = round % 2;
        store.removeShuffle(shuffle);
        write(shuffle, round);
        current[shuffle].set(round);
      }
      // Both happen, or the test would show nothing: go on until they have.
      for (int round = rounds;
          round < 20 * rounds && stop.getCount() > 0 && (whole.get() == 0 || failed.get() == 0);
          round++) {
        store.removeShuffle(round % 2);
        write(round % 2, round);
        current[round % 2].set(round);
      }
      stop.countDown();
      for (Thread reader : readers) {
        reader.join(TimeUnit.SECONDS.toMillis(60));
        assertThat(reader.isAlive()).isFalse();
      }
      assertThat(wrong.get()).isNull();
      assertThat(whole.get()).isPositive();
      if (!way.equals("local") && !way.equals("netty")) {
        assertThat(failed.get()).isPositive();
        assertThat(client.stats().checksumFailures())
            .as("the generation tells before a checksum has to")
            .isZero();
      }
      if (transport != null) {
        transport.close();
      }
      assertThat(client.buffers().given()).isZero();
      service.close();
      assertThat(service.unreleased).hasValue(0);
    }
  }

  private static void read(
      FetchClient client,
      Random random,
      AtomicInteger[] current,
      CountDownLatch stop,
      AtomicInteger whole,
      AtomicInteger failed)
      throws IOException {
    byte[] small = new byte[8 << 10];
    while (stop.getCount() > 0) {
      int shuffle = random.nextInt(2);
      int round = current[shuffle].get();
      if (round < 0) {
        continue;
      }
      List<BlockId> wanted = new ArrayList<>();
      for (int map = 0; map < MAPS; map++) {
        for (int partition = 0; partition < PARTITIONS; partition++) {
          wanted.add(Fetching.block(mapId(round, map), partition));
        }
      }
      int blocks = 0;
      try (SegmentIterator segments =
          client.fetch(
              shuffle,
              List.of(new PeerBlocks(peer("1"), wanted, 200_000)),
              LIMITS,
              new Watching())) {
        int run = 0;
        BlockId last = null;
        for (FetchedSegment next = segments.next(); next != null; next = segments.next()) {
          run = next.block().equals(last) ? run + 1 : 0;
          last = next.block();
          check(next, bytes(shuffle, round, last.mapId(), last.partition(), run), small);
          blocks += run;
        }
        assertThat(blocks).as("both runs of all blocks").isEqualTo(wanted.size());
        whole.incrementAndGet();
      } catch (FetchException e) {
        failed.incrementAndGet();
      }
    }
  }

  /** Compares as it goes: slow readers, so that removals hit the middle of blocks. */
  private static void check(FetchedSegment segment, byte[] expected, byte[] small)
      throws IOException {
    InputStream in = segment.stream();
    int at = 0;
    for (int n = in.read(small); n > 0; n = in.read(small)) {
      assertThat(Arrays.equals(small, 0, n, expected, at, Math.min(expected.length, at + n)))
          .as("bytes %d to %d of %s", at, at + n, segment.block())
          .isTrue();
      at += n;
    }
    assertThat(at).isEqualTo(expected.length);
  }
}
