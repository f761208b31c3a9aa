package io.verbena.fetch;

import static io.verbena.fetch.Fetching.block;
import static io.verbena.fetch.Fetching.blocks;
import static io.verbena.fetch.Fetching.readAll;
import static org.assertj.core.api.Assertions.assertThat;

import io.verbena.fetch.Fetching.Unreachable;
import io.verbena.log.CapturedLog;
import io.verbena.store.ShuffleStore;
import io.verbena.transport.Transport;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Falls are logged once for each peer, however many shuffles and tasks meet them. */
class ToldOnceTest {
  private static final int SHUFFLES = 3;

  @TempDir Path root;
  private CapturedLog log;
  private Stores stores;
  private ShuffleStore first;

  @BeforeEach
  void setUp() throws IOException {
    log = new CapturedLog();
    stores = new Stores(root);
    first = stores.open("1", 16 << 20);
    for (int shuffle = 0; shuffle < SHUFFLES; shuffle++) {
      Stores.write(first, shuffle, 0, 0, new byte[][][] {{new byte[1000]}});
    }
  }

  @AfterEach
  void tearDown() throws IOException {
    log.close();
    stores.close();
  }

  @Test
  void aPeerThatATransportDoesNotReachIsLoggedOnceForAllShuffles() throws IOException {
    Transport unreachable = new Unreachable("shm", "no file");
    try (StoreService service = new StoreService(first);
        FetchClient client =
            new FetchClient(
                "2", null, List.of(unreachable), service, stores, 4 << 20, Stores.CHUNK)) {
      for (int shuffle = 0; shuffle < SHUFFLES; shuffle++) {
        assertThat(readAll(client, shuffle, blocks("1", block(0, 0)))).hasSize(1);
        client.forgetShuffle(shuffle);
      }
      assertThat(client.stats().falls().values()).containsExactly((long) SHUFFLES);
    }
    assertThat(log.lines("is not read by"))
        .singleElement()
        .asString()
        .contains("Executor 1 is not read by shm but by netty: no file");
  }

  @Test
  void aPeerOnAnotherHostIsOutOfReachOfShmWithoutAnyFallOrWarning() throws IOException {
    stores.onOtherHosts();
    Transport shm = new Unreachable("shm", "no file");
    try (StoreService service = new StoreService(first);
        FetchClient client =
            new FetchClient("2", null, List.of(shm), service, stores, 4 << 20, Stores.CHUNK)) {
      for (int shuffle = 0; shuffle < SHUFFLES; shuffle++) {
        assertThat(readAll(client, shuffle, blocks("1", block(0, 0)))).hasSize(1);
        client.forgetShuffle(shuffle);
      }
      assertThat(client.stats().falls()).isEmpty();
      assertThat(client.stats().transports().get("shm").unreachable()).isEqualTo(SHUFFLES);
    }
    assertThat(log.lines("WARN")).isEmpty();
    assertThat(log.lines("Executor 1 "))
        .singleElement()
        .asString()
        .contains("INFO")
        .endsWith("Executor 1 is on another host, out of reach of shm, next is netty: no file");
  }

  @Test
  void aPeerOnAnotherHostThatVerbsDoesNotReachIsAFallAndAWarning() throws IOException {
    stores.onOtherHosts();
    List<Transport> transports =
        List.of(new Unreachable("shm", "no file"), new Unreachable("verbs", "no route"));
    try (StoreService service = new StoreService(first);
        FetchClient client =
            new FetchClient("2", null, transports, service, stores, 4 << 20, Stores.CHUNK)) {
      assertThat(readAll(client, 0, blocks("1", block(0, 0)))).hasSize(1);
      assertThat(client.stats().falls()).containsOnlyKeys("verbs->netty: no route");
    }
    assertThat(log.lines("WARN")).singleElement().asString().contains("by verbs but by netty");
  }

  @Test
  void aRegistryThatDoesNotAnswerIsLoggedOnceForEachShuffle() throws IOException {
    PeerDirectory silent =
        (shuffle, executors) -> {
          throw new IOException("no answer");
        };
    try (StoreService service = new StoreService(first);
        FetchClient client =
            new FetchClient("2", null, List.of(), service, silent, 4 << 20, Stores.CHUNK)) {
      for (int task = 0; task < 4; task++) {
        assertThat(readAll(client, task % 2, blocks("1", block(0, 0)))).hasSize(1);
      }
      assertThat(client.stats().falls().values()).containsExactly(4L);
    }
    assertThat(log.lines("The registry on the driver was not reached")).hasSize(2);
  }

  @Test
  void whatWasToldIsForgottenBeforeItGrowsWithoutBound() {
    Told told = new Told();
    IntStream.range(0, Told.MAX_FACTS).forEach(told::first);
    assertThat(told.first(0)).isFalse();
    assertThat(told.first("one more")).isTrue();
    assertThat(told.first(0)).isTrue();
    assertThat(told.first(Told.MAX_FACTS - 1)).isFalse();
  }
}
