package io.verbena.fetch;

import static io.verbena.fetch.Fetching.LIMITS;
import static io.verbena.fetch.Fetching.block;
import static io.verbena.fetch.Fetching.peer;
import static io.verbena.fetch.Fetching.readAll;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.verbena.fetch.Fetching.Got;
import io.verbena.fetch.Fetching.Unreachable;
import io.verbena.fetch.Fetching.Watching;
import io.verbena.store.MapOutput;
import io.verbena.store.RunWriter;
import io.verbena.store.ShuffleStore;
import io.verbena.table.Entry;
import io.verbena.transport.AsyncOverShm;
import io.verbena.transport.Transport;
import io.verbena.transport.shm.ShmTransport;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Blocks of real stores, by every way that leads to them. */
@Timeout(120)
class StoreFetchTest {
  private static final int SHUFFLE = 3;
  private static final int PARTITIONS = 6;

  @TempDir Path directory;
  private Stores stores;
  private ShuffleStore store;
  private StoreService service;
  private final Map<BlockId, byte[]> expected = new HashMap<>();
  private final Random random = new Random(17);

  @BeforeEach
  void open() throws IOException {
    stores = new Stores(directory);
    store = stores.open("1", 8L * Stores.REGION);
    service = new StoreService(store);
  }

  @AfterEach
  void close() {
    service.close();
    stores.close();
  }

  private void write(int maps, int largest) throws IOException {
    for (int map = 0; map < maps; map++) {
      byte[][][] runs = new byte[1 + map % 3][PARTITIONS][];
      for (int partition = 0; partition < PARTITIONS; partition++) {
        byte[] all = new byte[0];
        for (byte[][] run : runs) {
          int length = random.nextInt(4) == 0 ? largest : 1 + random.nextInt(2000);
          run[partition] = new byte[length];
          random.nextBytes(run[partition]);
          byte[] joined = java.util.Arrays.copyOf(all, all.length + length);
          System.arraycopy(run[partition], 0, joined, all.length, length);
          all = joined;
        }
        expected.put(block(map, partition), all);
      }
      Stores.write(store, SHUFFLE, map, Entry.COMPRESSED, runs);
    }
  }

  private FetchClient client(String selfId, Transport transport, BlockService by) {
    return new FetchClient(
        selfId,
        selfId.equals("1") ? store : null,
        transport == null ? List.of() : List.of(transport),
        by,
        stores,
        4 << 20,
        Stores.CHUNK);
  }

  private PeerBlocks wanted() {
    List<BlockId> ids = new ArrayList<>(expected.keySet());
    Collections.shuffle(ids, random);
    long bytes = expected.values().stream().mapToLong(b -> b.length).sum();
    return new PeerBlocks(peer("1"), ids, bytes);
  }

  private void assertAllCame(List<Got> got) {
    Map<BlockId, byte[]> came = new HashMap<>();
    BlockId last = null;
    for (Got each : got) {
      assertThat(each.compressed()).isTrue();
      byte[] before = came.getOrDefault(each.block(), new byte[0]);
      assertThat(before.length == 0 || each.block().equals(last))
          .as("segments of a block follow each other")
          .isTrue();
      byte[] joined = java.util.Arrays.copyOf(before, before.length + each.bytes().length);
      System.arraycopy(each.bytes(), 0, joined, before.length, each.bytes().length);
      came.put(each.block(), joined);
      last = each.block();
    }
    assertThat(came.keySet()).isEqualTo(expected.keySet());
    expected.forEach((id, bytes) -> assertThat(came.get(id)).as("%s", id).isEqualTo(bytes));
  }

  static List<Arguments> ways() {
    return List.of(
        Arguments.of("local", 48L << 20, 1000),
        Arguments.of("shm", 48L << 20, 1000),
        Arguments.of("shm", 1L, 1),
        Arguments.of("async", 48L << 20, 1000),
        Arguments.of("async", 100L << 10, 3),
        Arguments.of("async", 1L, 1),
        Arguments.of("netty", 48L << 20, 1000),
        Arguments.of("netty", 100L << 10, 3),
        Arguments.of("netty", 1L, 1));
  }

  @ParameterizedTest
  @MethodSource("ways")
  void allBlocksComeWholeByEveryWayAndWithinLimits(String way, long maxBytes, int maxBlocks)
      throws Exception {
    write(12, 200_000);
    Transport transport = transport(way);
    FetchLimits limits = new FetchLimits(maxBytes, maxBlocks, maxBlocks, Duration.ofSeconds(30));
    Watching watching = new Watching();
    try (FetchClient client =
        client(way.equals("local") ? "1" : "2", transport, way.equals("netty") ? service : null)) {
      List<Got> got = readAll(client, SHUFFLE, limits, watching, wanted());

      assertAllCame(got);
      assertThat(got).extracting(Got::transport).containsOnly(way);
      long total = expected.values().stream().mapToLong(b -> b.length).sum();
      FetchStats stats = client.stats();
      if (way.equals("local")) {
        assertThat(watching.localBytes).isEqualTo(total).isEqualTo(stats.localBytes());
        assertThat(watching.localBlocks).isEqualTo(expected.size());
        assertThat(stats.localBlocks()).isEqualTo(expected.size());
        assertThat(stats.bytes()).isEmpty();
      } else {
        assertThat(watching.remoteBytes).isEqualTo(total).isEqualTo(stats.bytes().get(way));
        assertThat(watching.remoteBlocks).isEqualTo(expected.size());
        assertThat(stats.blocks()).containsEntry(way, (long) expected.size());
        assertThat(stats.localBytes()).isZero();
      }
      assertThat(client.buffers().given()).isZero();
      service.close();
      assertThat(service.unreleased).hasValue(0);
      assertThat(service.mostBlocksAtOnce.get()).isLessThanOrEqualTo(maxBlocks);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"local", "shm", "async", "netty"})
  void blocksOfATableLargerThanARegionComeByEveryWay(String way) throws Exception {
    int partitions = Stores.REGION / Entry.SIZE + 100;
    for (int map = 0; map < 3; map++) {
      byte[][] blocks = new byte[partitions][0];
      for (int partition : new int[] {0, partitions / 2, partitions - 1}) {
        blocks[partition] = new byte[1 + random.nextInt(2000)];
        random.nextBytes(blocks[partition]);
        expected.put(block(map, partition), blocks[partition]);
      }
      Stores.write(store, SHUFFLE, map, Entry.COMPRESSED, blocks);
    }
    try (FetchClient client =
        client(
            way.equals("local") ? "1" : "2",
            transport(way),
            way.equals("netty") ? service : null)) {
      List<Got> got = readAll(client, SHUFFLE, wanted());
      assertAllCame(got);
      assertThat(got).extracting(Got::transport).containsOnly(way);
    }
  }

  private static Transport transport(String way) {
    return switch (way) {
      case "shm" -> new ShmTransport(ShmTransport.Mode.AUTO);
      case "async" -> new AsyncOverShm();
      default -> null;
    };
  }

  @ParameterizedTest
  @ValueSource(strings = {"1", "2"})
  void runsOnDiskAreReadInPlace(String selfId) throws Exception {
    stores.close();
    stores = new Stores(directory);
    store = stores.open("1", 2L * Stores.REGION);
    write(14, 200_000);
    assertThat(store.stats().runsOnDisk()).isPositive();
    try (FetchClient client = client(selfId, new ShmTransport(ShmTransport.Mode.AUTO), null)) {
      List<Got> got = readAll(client, SHUFFLE, wanted());
      assertAllCame(got);
      assertThat(got)
          .extracting(Got::transport)
          .contains(selfId.equals("1") ? "local" : "disk")
          .isSubsetOf("local", "shm", "disk");
    }
  }

  @Test
  void runsOnDiskOutOfReachComeByTheBlockService() throws Exception {
    stores.close();
    stores = new Stores(directory);
    store = stores.open("1", 2L * Stores.REGION);
    service.close();
    service = new StoreService(store);
    write(14, 200_000);
    PeerDirectory elsewhere =
        (id, executors) -> {
          Map<String, PeerDirectory.Found> found = new HashMap<>();
          stores
              .lookup(id, executors)
              .forEach(
                  (executor, f) ->
                      found.put(
                          executor,
                          new PeerDirectory.Found(
                              f.store(),
                              f.shuffle(),
                              (s, m, r) -> directory.resolve("nowhere"),
                              true)));
          return found;
        };
    try (FetchClient client =
        new FetchClient(
            "2",
            null,
            List.of(new ShmTransport(ShmTransport.Mode.AUTO)),
            service,
            elsewhere,
            4 << 20,
            Stores.CHUNK)) {
      List<Got> got = readAll(client, SHUFFLE, wanted());
      assertAllCame(got);
      assertThat(got)
          .extracting(Got::transport)
          .contains("shm", "netty")
          .isSubsetOf("shm", "netty");
      service.close();
      assertThat(service.unreleased).hasValue(0);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"local", "shm", "async", "netty"})
  void aSegmentClosedEarlyDoesNotDisturbTheNext(String way) throws Exception {
    write(9, 200_000);
    Transport transport =
        switch (way) {
          case "shm" -> new ShmTransport(ShmTransport.Mode.MAPPED);
          case "async" -> new AsyncOverShm();
          default -> null;
        };
    try (FetchClient client =
        client(way.equals("local") ? "1" : "2", transport, way.equals("netty") ? service : null)) {
      for (int round = 0; round < 20; round++) {
        PeerBlocks wanted = wanted();
        try (SegmentIterator segments =
            client.fetch(SHUFFLE, List.of(wanted), LIMITS, new Watching())) {
          BlockId last = null;
          int at = 0;
          for (FetchedSegment next = segments.next(); next != null; next = segments.next()) {
            at = next.block().equals(last) ? at : 0;
            last = next.block();
            byte[] all = expected.get(last);
            InputStream in = next.stream();
            int part = random.nextInt(3) == 0 ? (int) next.length() : random.nextInt(300);
            byte[] got = in.readNBytes(part);
            assertThat(got).isEqualTo(java.util.Arrays.copyOfRange(all, at, at + got.length));
            if (random.nextBoolean()) {
              next.close();
              assertThat(in.read()).isEqualTo(-1);
            }
            at += (int) next.length();
          }
        }
        assertThat(client.buffers().given()).isZero();
      }
      service.close();
      assertThat(service.unreleased).hasValue(0);
    }
  }

  @Test
  void aTaskClosedInTheMiddleLeavesNothingBehind() throws Exception {
    write(12, 200_000);
    AsyncOverShm transport = new AsyncOverShm();
    try (FetchClient client = client("2", transport, null)) {
      for (int round = 0; round < 20; round++) {
        SegmentIterator segments = client.fetch(SHUFFLE, List.of(wanted()), LIMITS, new Watching());
        for (int i = 0; i <= round; i++) {
          segments.next().stream().read();
        }
        transport.hold(true);
        segments.close();
        segments.close();
        transport.hold(false);
        assertThatThrownBy(segments::next).isInstanceOf(IllegalStateException.class);
      }
      transport.close();
      assertThat(client.buffers().given())
          .as("buffers are back once the connection gave up its READs")
          .isZero();
    }
  }

  @Test
  void aTransportThatCannotReachIsLeftWithItsReason() throws Exception {
    write(3, 1000);
    Transport unreachable = new Unreachable("verbs", "no device: load rdma_rxe");
    try (FetchClient client =
        new FetchClient(
            "2",
            null,
            List.of(unreachable, new ShmTransport(ShmTransport.Mode.AUTO)),
            service,
            stores,
            4 << 20,
            Stores.CHUNK)) {
      for (int round = 0; round < 3; round++) {
        List<Got> got = readAll(client, SHUFFLE, wanted());
        assertAllCame(got);
        assertThat(got).extracting(Got::transport).containsOnly("shm");
      }
      assertThat(client.stats().falls())
          .containsExactly(Map.entry("verbs->shm: no device: load rdma_rxe", 1L));
      assertThat(client.stats().peers()).isEqualTo(Map.of("shm", "1"));
    }
  }

  @Test
  void aPeerThatNoTransportReachesIsReadByTheBlockServiceOrFails() throws Exception {
    write(3, 1000);
    try (FetchClient client = client("2", new Unreachable("shm", "other host"), service)) {
      assertAllCame(readAll(client, SHUFFLE, wanted()));
      assertThat(client.stats().falls()).containsExactly(Map.entry("shm->netty: other host", 1L));
      assertThat(client.stats().peers()).isEqualTo(Map.of("netty", "1"));
    }
    try (FetchClient client = client("2", new Unreachable("shm", "other host"), null)) {
      assertThatThrownBy(() -> readAll(client, SHUFFLE, wanted()))
          .isInstanceOf(FetchException.class)
          .hasMessageContaining("executor 1 (host-1:7337) by none")
          .hasMessageContaining("no transport reaches it");
      assertThat(client.stats().falls()).containsExactly(Map.entry("shm->none: other host", 1L));
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 5, 20, 60})
  void aConnectionThatBreaksFallsToTheNextTransportForTheRest(int reads) throws Exception {
    write(12, 200_000);
    AsyncOverShm breaking = new AsyncOverShm();
    breaking.failAfter(reads);
    try (FetchClient client =
        new FetchClient(
            "2",
            null,
            List.of(breaking, new ShmTransport(ShmTransport.Mode.READ)),
            null,
            stores,
            4 << 20,
            Stores.CHUNK)) {
      FetchLimits small = new FetchLimits(300 << 10, 100, 100, Duration.ofSeconds(30));
      assertAllCame(readAll(client, SHUFFLE, small, new Watching(), wanted()));
      assertThat(client.stats().falls())
          .containsExactly(Map.entry("async->shm: the link went down", 1L));
      assertThat(client.buffers().given()).isZero();
    }
  }

  @Test
  void aPeerThatDoesNotAnswerIsLeftAtTheDeadline() throws Exception {
    write(3, 1000);
    service.close();
    // It has no more time than the one that hangs.
    service =
        new StoreService(store) {
          @Override
          void start(Runnable serving) {
            serving.run();
          }
        };
    AsyncOverShm hanging = new AsyncOverShm();
    try (FetchClient client = client("2", hanging, service)) {
      readAll(client, SHUFFLE, wanted());
      hanging.hold(true);
      FetchLimits limits = new FetchLimits(48 << 20, 1000, 1000, Duration.ofMillis(50));
      List<Got> got = readAll(client, SHUFFLE, limits, new Watching(), wanted());
      assertAllCame(got);
      assertThat(got).extracting(Got::transport).containsOnly("netty");
      assertThat(client.stats().falls())
          .containsExactly(Map.entry("async->netty: no answer to a READ within 50 ms", 1L));
      assertThat(client.stats().peers()).isEqualTo(Map.of("netty", "1"));
    }
  }

  @Test
  void aServiceThatDoesNotAnswerFailsTheFetchAtTheDeadline() throws Exception {
    write(3, 1000);
    BlockService silent = (peer, shuffle, blocks, listener) -> {};
    try (FetchClient client = client("2", null, silent)) {
      FetchLimits limits = new FetchLimits(48 << 20, 1000, 1000, Duration.ofMillis(50));
      assertThatThrownBy(() -> readAll(client, SHUFFLE, limits, new Watching(), wanted()))
          .isInstanceOf(FetchException.class)
          .hasMessageContaining("by netty: no answer within 50 ms");
    }
  }

  @Test
  void anInterruptEndsTheWaitAndIsNoFetchFailure() throws Exception {
    write(3, 1000);
    BlockService silent = (peer, shuffle, blocks, listener) -> {};
    try (FetchClient client = client("2", null, silent)) {
      Thread.currentThread().interrupt();
      assertThatThrownBy(() -> readAll(client, SHUFFLE, wanted()))
          .isInstanceOf(FetchInterruptedException.class);
      assertThat(Thread.interrupted()).isTrue();
    }
  }

  @Test
  void aServedBlockThatIsBrokenIsAskedForOnceMore() throws Exception {
    write(3, 1000);
    service.close();
    BlockId bad = block(2, 1);
    int[] breaks = {1};
    service =
        new StoreService(store) {
          @Override
          ByteBuffer tamper(BlockId block, ByteBuffer frames) {
            if (block.equals(bad) && breaks[0]-- > 0) {
              int at = frames.limit() - 1;
              frames.put(at, (byte) (frames.get(at) ^ 1));
            }
            return frames;
          }
        };
    try (FetchClient client = client("2", null, service)) {
      assertAllCame(readAll(client, SHUFFLE, wanted()));
      assertThat(client.stats().checksumFailures()).isEqualTo(1);
      assertThat(client.stats().rereads()).isEqualTo(1);

      breaks[0] = 2;
      assertThatThrownBy(() -> readAll(client, SHUFFLE, wanted()))
          .isInstanceOf(FetchException.class)
          .hasMessageStartingWith(
              "shuffle 3 map 2 (index 2) partition 1 from executor 1 (host-1:7337) by netty:")
          .hasMessageContaining("do not match their checksum, also when it was asked for again");
    }
    service.close();
    assertThat(service.unreleased).hasValue(0);
  }

  @Test
  void aPeerUnknownToTheRegistryIsReadByTheBlockServiceOrFails() throws Exception {
    write(3, 1000);
    PeerDirectory empty = (shuffle, executors) -> Map.of();
    try (FetchClient client =
        new FetchClient(
            "2",
            null,
            List.of(new ShmTransport(ShmTransport.Mode.AUTO)),
            service,
            empty,
            4 << 20,
            Stores.CHUNK)) {
      assertAllCame(readAll(client, SHUFFLE, wanted()));
    }
    try (FetchClient client =
        new FetchClient(
            "2",
            null,
            List.of(new ShmTransport(ShmTransport.Mode.AUTO)),
            null,
            empty,
            4 << 20,
            Stores.CHUNK)) {
      assertThatThrownBy(() -> readAll(client, SHUFFLE, wanted()))
          .isInstanceOf(FetchException.class)
          .hasMessageContaining("the registry does not know");
    }
  }

  @Test
  void aRegistryThatDoesNotAnswerLeavesTheBlockService() throws Exception {
    write(3, 1000);
    PeerDirectory broken =
        (shuffle, executors) -> {
          throw new IOException("no answer from the driver within 1 s");
        };
    for (BlockService by : new BlockService[] {service, null}) {
      try (FetchClient client =
          new FetchClient("2", null, List.of(), by, broken, 4 << 20, Stores.CHUNK)) {
        if (by != null) {
          assertAllCame(readAll(client, SHUFFLE, wanted()));
          assertThat(client.stats().falls())
              .containsKey("registry->netty: no answer from the driver within 1 s");
        } else {
          assertThatThrownBy(() -> readAll(client, SHUFFLE, wanted()))
              .isInstanceOf(FetchException.class)
              .hasMessageContaining("no answer from the driver within 1 s");
        }
      }
    }
  }

  @Test
  void aMapOutputThatIsNotHereFailsTheFetchByEveryWay() throws Exception {
    write(3, 1000);
    PeerBlocks missing = Fetching.blocks("1", block(2, 1), block(99, 1));
    try (FetchClient local = client("1", null, null);
        FetchClient shm = client("2", new ShmTransport(ShmTransport.Mode.AUTO), null);
        FetchClient async = client("2", new AsyncOverShm(), null);
        FetchClient netty = client("2", null, service)) {
      for (FetchClient client : List.of(local, shm, async, netty)) {
        assertThatThrownBy(() -> readAll(client, SHUFFLE, missing))
            .isInstanceOf(FetchException.class)
            .hasMessageContaining("map 99 (index 99) partition 1 from executor 1");
      }
    }
  }

  @Test
  void connectionsAreClosedWhenTheLastShuffleOfAPeerIsForgotten() throws Exception {
    write(3, 1000);
    try (FetchClient client = client("2", new ShmTransport(ShmTransport.Mode.MAPPED), null)) {
      readAll(client, SHUFFLE, wanted());
      assertThat(mappings()).isPositive();
      client.forgetShuffle(SHUFFLE);
      client.forgetShuffle(99);
      assertThat(mappings()).isZero();
      assertAllCame(readAll(client, SHUFFLE, wanted()));
    }
    assertThat(mappings()).isZero();
  }

  private long mappings() throws IOException {
    return java.nio.file.Files.readString(Path.of("/proc/self/maps"))
        .lines()
        .filter(line -> line.contains(directory.toString()) && line.contains("r--s"))
        .count();
  }

  @Test
  void tableThatWasDamagedIsWholeAgainOnceARecomputedMapOutputRepairsIt() throws Exception {
    write(9, 2000);
    Map<BlockId, byte[]> before = new HashMap<>(expected);
    assertThat(Stores.damageHeaders(store, SHUFFLE)).isGreaterThan(PARTITIONS);
    try (FetchClient client = client("2", new ShmTransport(ShmTransport.Mode.AUTO), null)) {
      assertThatThrownBy(() -> readAll(client, SHUFFLE, wanted()))
          .isInstanceOf(FetchException.class);

      byte[] again = {1, 2, 3};
      try (MapOutput output = store.newMapOutput(SHUFFLE, PARTITIONS, 99)) {
        RunWriter run = output.newRun();
        run.partition(0, Entry.COMPRESSED, again.length);
        run.write(again, 0, again.length);
        run.finish();
        output.repairTable();
        output.commit();
      }

      expected.put(block(99, 0), again);
      assertAllCame(readAll(client, SHUFFLE, wanted()));
      assertThat(expected).hasSize(before.size() + 1);
    }
  }
}
