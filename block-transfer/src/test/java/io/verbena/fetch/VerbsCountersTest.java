package io.verbena.fetch;

import static io.verbena.fetch.Fetching.block;
import static io.verbena.fetch.Fetching.blocks;
import static io.verbena.fetch.Fetching.client;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.verbena.store.ShuffleStore;
import io.verbena.transport.verbs.VerbsFixture;
import io.verbena.transport.verbs.VerbsTransport;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * What the devices' own counters say (those that {@code rdma statistic show link} prints): blocks
 * come in packets that no SEND and no receive belongs to, on either side. Both ends are on this
 * host, so the counters hold the reader's and the owner's part.
 *
 * <p>Soft-RoCE counts {@code rdma_sends}, {@code rdma_recvs} and {@code sent_pkts}; a device that
 * has no such counters proves nothing here, and the test is skipped.
 */
@Tag(VerbsFixture.TAG)
@Timeout(200)
class VerbsCountersTest {
  private static final int SHUFFLE = 3;
  private static final int PARTITIONS = 64;
  private static final int BLOCK = 10_000;

  /** The largest packet that RoCE has. */
  private static final int LARGEST_MTU = 4096;

  @TempDir Path folder;

  /** Counters of all devices of this host, added up. */
  private record Counters(long sends, long receives, long packets) {
    static Counters now() throws IOException {
      return new Counters(sum("rdma_sends"), sum("rdma_recvs"), sum("sent_pkts"));
    }

    Counters since(Counters before) {
      return new Counters(
          sends - before.sends, receives - before.receives, packets - before.packets);
    }

    private static long sum(String name) throws IOException {
      long sum = 0;
      boolean found = false;
      try (DirectoryStream<Path> devices =
          Files.newDirectoryStream(Path.of("/sys/class/infiniband"))) {
        for (Path device : devices) {
          Path counter = device.resolve("ports/1/hw_counters").resolve(name);
          if (Files.exists(counter)) {
            found = true;
            sum += Long.parseLong(Files.readString(counter).strip());
          }
        }
      }
      assumeThat(found).as("a device that counts %s", name).isTrue();
      return sum;
    }
  }

  @Test
  void blocksComeWithoutAnySendOrReceiveHoweverManyTheyAre() throws Exception {
    Counters idle = Counters.now();
    try (VerbsTransport owner = VerbsTransport.open(VerbsFixture.settings());
        Stores stores = new Stores(folder);
        FetchClient client = client(stores, null, VerbsTransport.open(VerbsFixture.settings()))) {
      ShuffleStore store = stores.open("1", 8L * Stores.REGION, owner);
      Stores.write(store, SHUFFLE, 0, 0, new byte[PARTITIONS][BLOCK]);
      read(client, 0, 1);
      // The handshake, so that what follows is not a counter that stands still.
      Counters connected = Counters.now().since(idle);
      assertThat(connected.sends()).as("SENDs of the handshake").isPositive();
      assertThat(connected.receives()).as("receives of the handshake").isPositive();

      Counters few = read(client, 1, 8);
      Counters many = read(client, 8, PARTITIONS);

      assertThat(List.of(few.sends(), few.receives(), many.sends(), many.receives()))
          .as("SENDs and receives of a few blocks, and of many")
          .containsOnly(0L);
      assertThat(few.packets()).isGreaterThanOrEqualTo(packetsOf(7));
      assertThat(many.packets()).isGreaterThanOrEqualTo(packetsOf(PARTITIONS - 8));
      assertThat(client.stats().blocks()).containsOnlyKeys("verbs").containsValue(64L);
    }
  }

  private static long packetsOf(int blocks) {
    return (long) blocks * BLOCK / LARGEST_MTU;
  }

  /** Reads the blocks of some partitions; gives what was counted meanwhile. */
  private static Counters read(FetchClient client, int from, int to) throws IOException {
    List<BlockId> wanted = new ArrayList<>();
    for (int partition = from; partition < to; partition++) {
      wanted.add(block(0, partition));
    }
    Counters before = Counters.now();
    assertThat(Fetching.readAll(client, SHUFFLE, blocks("1", wanted.toArray(new BlockId[0]))))
        .hasSize(to - from)
        .allSatisfy(got -> assertThat(got.bytes()).containsOnly(0).hasSize(BLOCK));
    return Counters.now().since(before);
  }
}
