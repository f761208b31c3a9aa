package io.verbena.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.verbena.memory.OnTmpfs;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.channels.ClosedByInterruptException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class StoreConcurrencyTest {
  private static final int THREADS = 6;

  @TempDir(factory = OnTmpfs.class)
  Path root;

  private StoreFixture fixture;
  private ShuffleStore store;
  private final ExecutorService threads = Executors.newFixedThreadPool(THREADS);

  @BeforeEach
  void open() throws IOException {
    fixture = new StoreFixture(root);
    fixture.regionSize = 4 * StoreFixture.MIB;
    store = fixture.open();
  }

  @AfterEach
  void close() {
    threads.shutdownNow();
    store.close();
  }

  /** Blocks that follow from the map id, so that whoever reads them can tell. */
  private static byte[][] blocksOf(long mapId) {
    Random random = new Random(mapId);
    byte[][] blocks = new byte[5][];
    for (int i = 0; i < blocks.length; i++) {
      blocks[i] =
          StoreFixture.bytes(random, random.nextInt(random.nextInt(10) == 0 ? 90_000 : 900));
    }
    return blocks;
  }

  private static void check(ShuffleLease lease, long mapId) throws IOException {
    byte[][] expected = blocksOf(mapId);
    for (int partition = 0; partition < expected.length; partition++) {
      assertThat(StoreFixture.block(lease, mapId, partition)).isEqualTo(expected[partition]);
    }
  }

  private <T> List<T> runAll(Function<Integer, Callable<T>> work) throws Exception {
    List<Future<T>> futures = new ArrayList<>();
    for (int i = 0; i < THREADS; i++) {
      futures.add(threads.submit(work.apply(i)));
    }
    List<T> results = new ArrayList<>();
    for (Future<T> future : futures) {
      results.add(future.get(60, TimeUnit.SECONDS));
    }
    return results;
  }

  @Test
  void concurrentCommitsAnnounceOnceAndAllArePublished() throws Exception {
    AtomicLong maps = new AtomicLong();
    runAll(
        thread ->
            () -> {
              for (int i = 0; i < 30; i++) {
                long mapId = maps.getAndIncrement();
                StoreFixture.write(store, 1, mapId, blocksOf(mapId));
              }
              return null;
            });
    assertThat(fixture.announcements).hasValue(1);
    try (ShuffleLease lease = store.lease(1).orElseThrow()) {
      assertThat(lease.mapIds()).hasSize(30 * THREADS);
      for (long mapId = 0; mapId < maps.get(); mapId++) {
        check(lease, mapId);
      }
    }
    assertThat(
            new RawTable(store.descriptor(), store.describe(1).orElseThrow(), fixture::runFile)
                .mapIds())
        .hasSize(30 * THREADS);
  }

  @Test
  void writersReadersAndRemovalsLeaveEveryLeaseWithItsOwnBytes() throws Exception {
    AtomicLong maps = new AtomicLong();
    AtomicInteger blocksRead = new AtomicInteger();
    runAll(
        thread ->
            () -> {
              Random random = new Random(thread);
              for (int i = 0; i < 150; i++) {
                int shuffleId = random.nextInt(3);
                switch (random.nextInt(8)) {
                  case 0 -> store.removeShuffle(shuffleId);
                  case 1, 2, 3 -> blocksRead.addAndGet(readAll(shuffleId));
                  default -> {
                    long mapId = maps.getAndIncrement();
                    StoreFixture.write(store, shuffleId, mapId, blocksOf(mapId));
                  }
                }
              }
              return null;
            });
    assertThat(blocksRead.get()).isPositive();
    for (int shuffleId = 0; shuffleId < 3; shuffleId++) {
      store.removeShuffle(shuffleId);
    }
    assertThat(store.stats().poolBytes()).isZero();
    assertThat(store.stats().diskBytes()).isZero();
    assertThat(StoreFixture.files(root.resolve("runs"))).isEmpty();
  }

  private int readAll(int shuffleId) throws IOException {
    Optional<ShuffleLease> found = store.lease(shuffleId);
    int read = 0;
    if (found.isPresent()) {
      try (ShuffleLease lease = found.get()) {
        for (long mapId : lease.mapIds()) {
          check(lease, mapId);
          read++;
        }
      }
    }
    return read;
  }

  @Test
  void outputWrittenWhileItsShuffleIsRemovedIsPublishedUnderANewAnnouncement() throws Exception {
    StoreFixture.write(store, 1, 1, blocksOf(1));
    byte[][] blocks = blocksOf(2);
    try (MapOutput output = store.newMapOutput(1, blocks.length, 2)) {
      RunWriter run = output.newRun();
      run.partition(0, 0, 0);
      run.write(blocks[0], 0, blocks[0].length);
      store.removeShuffle(1);
      output.commit();
    }
    assertThat(fixture.announcements).hasValue(2);
    assertThat(fixture.announced.get(0).generation())
        .isNotEqualTo(fixture.announced.get(1).generation());
    try (ShuffleLease lease = store.lease(1).orElseThrow()) {
      assertThat(lease.mapIds()).containsExactly(2);
      assertThat(StoreFixture.block(lease, 2, 0)).isEqualTo(blocks[0]);
    }
  }

  @Test
  void memoryOfARemovedShuffleIsReusedOnlyAfterItsLastLease() throws Exception {
    byte[][] big = new byte[5][300_000];
    StoreFixture.write(store, 1, 1, big);
    ShuffleLease first = store.lease(1).orElseThrow();
    ShuffleLease second = store.lease(1).orElseThrow();
    store.removeShuffle(1);
    first.close();
    long held = store.stats().poolBytes();
    assertThat(held).isGreaterThanOrEqualTo(5 * 300_000);
    for (int map = 0; map < 3; map++) {
      StoreFixture.write(store, 2, map, blocksOf(map));
    }
    for (int partition = 0; partition < big.length; partition++) {
      assertThat(StoreFixture.block(second, 1, partition)).isEqualTo(big[partition]);
    }
    second.close();
    assertThat(store.stats().poolBytes()).isLessThan(held);
    assertThatThrownBy(() -> second.block(1, 0))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("the lease of shuffle 1 is closed");
  }

  @Test
  void interruptWhileAnotherTaskAnnouncesEndsOnlyTheInterruptedTask() throws Exception {
    CountDownLatch announcing = new CountDownLatch(1);
    CountDownLatch mayAnnounce = new CountDownLatch(1);
    fixture.beforeAnnouncing =
        () -> {
          announcing.countDown();
          if (!mayAnnounce.await(60, TimeUnit.SECONDS)) {
            throw new AssertionError("nobody let the announcement go on");
          }
          return null;
        };
    Future<?> first = threads.submit(() -> write(1));
    assertThat(announcing.await(60, TimeUnit.SECONDS)).isTrue();
    Future<?> second =
        threads.submit(
            () -> {
              Thread.currentThread().interrupt();
              return write(2);
            });
    assertThatThrownBy(() -> second.get(60, TimeUnit.SECONDS))
        .isInstanceOf(ExecutionException.class)
        .cause()
        .isInstanceOfAny(InterruptedIOException.class, ClosedByInterruptException.class);
    mayAnnounce.countDown();
    first.get(60, TimeUnit.SECONDS);
    try (ShuffleLease lease = store.lease(1).orElseThrow()) {
      assertThat(lease.mapIds()).containsExactly(1);
    }
    assertThat(fixture.announcements).hasValue(1);
  }

  private Void write(long mapId) throws IOException {
    StoreFixture.write(store, 1, mapId, blocksOf(mapId));
    return null;
  }

  @Test
  void interruptedWriterDisturbsNoOther() throws Exception {
    runAll(
        thread ->
            () -> {
              for (int i = 0; i < 40; i++) {
                long mapId = thread * 100L + i;
                if (thread % 2 == 0) {
                  write(mapId);
                } else {
                  Thread.currentThread().interrupt();
                  assertThatThrownBy(() -> write(mapId)).isInstanceOf(IOException.class);
                  assertThat(Thread.interrupted()).isTrue();
                }
              }
              return null;
            });
    try (ShuffleLease lease = store.lease(1).orElseThrow()) {
      assertThat(lease.mapIds()).hasSize(40 * THREADS / 2);
      for (long mapId : lease.mapIds()) {
        check(lease, mapId);
      }
    }
    store.removeShuffle(1);
    assertThat(store.stats().poolBytes()).isZero();
    assertThat(store.stats().backing()).isEqualTo("tmpfs");
  }

  @Test
  void failedAnnouncementOfOneLeavesTheOthersToAskAgain() throws Exception {
    AtomicInteger failures = new AtomicInteger(3);
    fixture.beforeAnnouncing =
        () -> {
          if (failures.getAndDecrement() > 0) {
            throw new IOException("the registry does not answer");
          }
          return null;
        };
    List<Boolean> published =
        runAll(
            thread ->
                () -> {
                  try {
                    write(thread);
                    return true;
                  } catch (IOException e) {
                    assertThat(e).hasMessage("the registry does not answer");
                    return false;
                  }
                });
    assertThat(published).filteredOn(done -> done).hasSize(THREADS - 3);
    try (ShuffleLease lease = store.lease(1).orElseThrow()) {
      assertThat(lease.mapIds()).hasSize(THREADS - 3);
    }
    store.removeShuffle(1);
    assertThat(store.stats().poolBytes()).isZero();
  }

  @Test
  void closingTheStoreUnderWritersAndReadersIsNoCrash() throws Exception {
    StoreFixture.write(store, 1, 1, blocksOf(1));
    ShuffleLease lease = store.lease(1).orElseThrow();
    LocalSegment segment = lease.block(1, 0).orElseThrow().get(0);
    MapOutput output = store.newMapOutput(1, 5, 2);
    RunWriter run = output.newRun();
    run.partition(0, 0, 0);
    run.write(new byte[2 * StoreFixture.MIB / 16], 0, 2 * StoreFixture.MIB / 16);
    store.close();
    byte[] bytes = new byte[segment.pieces().get(0).length()];
    segment.pieces().get(0).view().getBytes(0, bytes, 0, bytes.length);
    assertThat(bytes).isEqualTo(java.util.Arrays.copyOf(blocksOf(1)[0], bytes.length));
    assertThatThrownBy(output::commit)
        .isInstanceOf(IllegalStateException.class)
        .hasMessageEndingWith("is closed");
    output.close();
    lease.close();
    assertThat(StoreFixture.files(fixture.memory.get(0))).isEmpty();
  }
}
