package io.verbena.fetch;

import static io.verbena.fetch.Fetching.LIMITS;
import static io.verbena.fetch.Fetching.block;
import static io.verbena.fetch.Fetching.blocks;
import static io.verbena.fetch.Fetching.readAll;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.verbena.fetch.Fetching.Unreachable;
import io.verbena.fetch.Fetching.Watching;
import io.verbena.store.ShuffleStore;
import io.verbena.transport.AsyncOverShm;
import io.verbena.transport.Transport;
import io.verbena.transport.shm.ShmTransport;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What a client counts of its READs, connections and waits. */
@Timeout(60)
class FetchFiguresTest {
  private static final int SHUFFLE = 3;
  private static final int MAPS = 8;
  private static final int BLOCK = 200_000;
  private static final long AMPLE = 64 << 20;

  @TempDir Path folder;
  private Stores stores;

  @BeforeEach
  void write() throws IOException {
    stores = new Stores(folder);
    ShuffleStore store = stores.open("1", 8L * Stores.REGION);
    for (int map = 0; map < MAPS; map++) {
      Stores.write(store, SHUFFLE, map, 0, new byte[1][BLOCK]);
    }
  }

  @AfterEach
  void close() {
    stores.close();
  }

  private FetchClient client(long receiveLimit, Transport... transports) {
    return new FetchClient(
        "2", null, List.of(transports), null, stores, receiveLimit, Stores.CHUNK);
  }

  private static PeerBlocks wanted() {
    return blocks(
        "1", IntStream.range(0, MAPS).mapToObj(map -> block(map, 0)).toArray(BlockId[]::new));
  }

  private static TransportStats stats(FetchClient client, String transport) {
    return client.stats().transports().get(transport);
  }

  private static long timed(FetchClient client, String transport) {
    return Arrays.stream(client.latency(transport).orElseThrow().counts()).sum();
  }

  private static FetchLimits inFlight(long bytes) {
    return new FetchLimits(bytes, Integer.MAX_VALUE, Integer.MAX_VALUE, Duration.ofSeconds(30));
  }

  @Test
  void readsAreCountedAndTimedAndConnectionsAreOpenUntilTheClientIsClosed() throws Exception {
    FetchClient client = client(AMPLE, new ShmTransport(ShmTransport.Mode.READ));
    try (client) {
      assertThat(client.latency("shm")).isEmpty();
      assertThat(client.stats().transports()).isEmpty();

      readAll(client, SHUFFLE, wanted());

      TransportStats first = stats(client, "shm");
      long lists = timed(client, "shm");
      // Blocks of this size do not share a buffer of 256 KiB, and each list has its word.
      assertThat(lists).isGreaterThan(MAPS);
      assertThat(first.reads()).isGreaterThanOrEqualTo(2 * lists);
      assertThat(first).isEqualTo(new TransportStats(first.reads(), 0, 1, 1, 0, 0, 0));
      assertThat(client.stats().flow().waitNanos()).isPositive();
      assertThat(client.stats().flow().inFlightWaitNanos()).isZero();
      assertThat(client.stats().flow().bufferWaitNanos()).isZero();

      readAll(client, SHUFFLE, wanted());

      assertThat(stats(client, "shm").reads()).isGreaterThanOrEqualTo(first.reads() + 2 * MAPS);
      assertThat(timed(client, "shm")).isGreaterThanOrEqualTo(lists + MAPS);
      assertThat(stats(client, "shm").opened()).isEqualTo(1);
    }
    assertThat(stats(client, "shm").open()).isZero();
  }

  @Test
  void readsThatAreInFlightAreOutstandingAlsoWhenTheirTaskHasGivenUp() throws Exception {
    AsyncOverShm transport = new AsyncOverShm();
    try (FetchClient client = client(AMPLE, transport)) {
      readAll(client, SHUFFLE, wanted());
      long before = timed(client, "async");
      SegmentIterator segments =
          client.fetch(SHUFFLE, List.of(wanted()), inFlight(1), new Watching());
      segments.next().stream().readAllBytes();
      transport.hold(true);
      // The second block and its word cannot come; the first one's buffer is in use.
      FetchLimits hasty = new FetchLimits(AMPLE, 100, 100, Duration.ofMillis(50));
      SegmentIterator late = client.fetch(SHUFFLE, List.of(wanted()), hasty, new Watching());
      assertThatThrownBy(late::next).isInstanceOf(FetchException.class);
      late.close();
      segments.close();

      TransportStats held = stats(client, "async");
      assertThat(held.outstanding()).isPositive();
      assertThat(client.stats().flow().receiveBytes()).isPositive();
      assertThat(held.silent()).isEqualTo(1);
      assertThat(held.broken()).isZero();

      transport.hold(false);
      transport.close();

      assertThat(stats(client, "async").outstanding()).isZero();
      assertThat(stats(client, "async").reads()).isEqualTo(held.reads() + held.outstanding());
      assertThat(timed(client, "async")).isGreaterThan(before);
      assertThat(client.stats().flow().receiveBytes()).isZero();
      assertThat(client.stats().flow().receiveHighWater()).isPositive();
    }
  }

  @Test
  void waitingAtTheLimitOfWhatIsInFlightIsToldFromWaitingForBuffers() throws Exception {
    try (FetchClient client = client(AMPLE, new AsyncOverShm().late())) {
      readAll(client, SHUFFLE, inFlight(1), new Watching(), wanted());
      FlowStats flow = client.stats().flow();
      assertThat(flow.inFlightWaitNanos()).isPositive().isLessThanOrEqualTo(flow.waitNanos());
      assertThat(flow.bufferWaitNanos()).isZero();
      assertThat(flow.receiveLimit()).isEqualTo(AMPLE);
    }
    try (FetchClient client = client(AMPLE, new AsyncOverShm().late())) {
      FetchLimits oneBlock = new FetchLimits(AMPLE, 100, 1, Duration.ofSeconds(30));
      readAll(client, SHUFFLE, oneBlock, new Watching(), wanted());
      assertThat(client.stats().flow().inFlightWaitNanos()).isPositive();
    }
    try (FetchClient client = client(1, new AsyncOverShm().late())) {
      readAll(client, SHUFFLE, LIMITS, new Watching(), wanted());
      FlowStats flow = client.stats().flow();
      assertThat(flow.bufferWaitNanos()).isPositive().isLessThanOrEqualTo(flow.waitNanos());
      assertThat(flow.inFlightWaitNanos()).isZero();
    }
    try (FetchClient client = client(AMPLE, new AsyncOverShm())) {
      readAll(client, SHUFFLE, wanted());
      FlowStats flow = client.stats().flow();
      assertThat(flow.inFlightWaitNanos() + flow.bufferWaitNanos())
          .as("all was asked for")
          .isZero();
    }
  }

  @Test
  void transportsThatAreLeftTellWhy() throws Exception {
    AsyncOverShm breaking = new AsyncOverShm();
    breaking.failAfter(20);
    Transport refusing = new Unreachable("refusing", "not here");
    try (FetchClient client =
        client(AMPLE, refusing, breaking, new ShmTransport(ShmTransport.Mode.READ))) {
      readAll(client, SHUFFLE, inFlight(1), new Watching(), wanted());

      assertThat(stats(client, "refusing")).isEqualTo(new TransportStats(0, 0, 0, 0, 1, 0, 0));
      TransportStats broken = stats(client, "async");
      assertThat(broken).isEqualTo(new TransportStats(broken.reads(), 0, 1, 1, 0, 1, 0));
      assertThat(stats(client, "shm").reads()).isPositive();
      assertThat(client.stats().fallsFrom("async")).isEqualTo(1);
      assertThat(client.stats().fallsFrom("registry")).isZero();
    }
  }
}
