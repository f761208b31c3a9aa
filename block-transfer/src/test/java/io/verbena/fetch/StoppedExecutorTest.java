package io.verbena.fetch;

import static io.verbena.fetch.Fetching.block;
import static io.verbena.fetch.Fetching.blocks;
import static io.verbena.fetch.Fetching.client;
import static org.assertj.core.api.Assertions.assertThat;

import io.verbena.fetch.Fetching.Registry;
import io.verbena.fetch.Fetching.Watching;
import io.verbena.store.ChildJvm;
import io.verbena.store.RemoteAccess;
import io.verbena.store.ShuffleDescriptor;
import io.verbena.store.ShuffleStore;
import io.verbena.store.StoreDescriptor;
import io.verbena.transport.Transport;
import io.verbena.transport.shm.ShmTransport;
import io.verbena.transport.verbs.VerbsFixture;
import io.verbena.transport.verbs.VerbsTransport;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * READs are one-sided: an executor whose process is stopped (SIGSTOP) after its commits is read to
 * the end. The reader has the connection, the region records and the registry's answer already:
 * these come before the first block, and a connection by RDMA needs the executor's own threads.
 */
@Timeout(200)
class StoppedExecutorTest {
  private static final int SHUFFLE = 3;
  private static final int PARTITIONS = 4;
  private static final int MAPS = 20;

  /** A small part of all, so that most READs are posted when the process stands still. */
  private static final FetchLimits LIMITS =
      new FetchLimits(300_000, Integer.MAX_VALUE, Integer.MAX_VALUE, Duration.ofSeconds(30));

  @TempDir Path folder;

  private static byte[] bytes(int map, int partition) {
    Random random = new Random(map * 31L + partition);
    byte[] bytes = new byte[1 + random.nextInt(map % 2 == 0 ? 300_000 : 3000)];
    random.nextBytes(bytes);
    return bytes;
  }

  /** The executor's process: commits map outputs, says where they lie and waits to be killed. */
  static final class Owner {
    private Owner() {}

    public static void main(String[] args) throws Exception {
      Path folder = Path.of(args[0]);
      RemoteAccess remote =
          args[1].equals("verbs")
              ? VerbsTransport.open(VerbsFixture.settings())
              : RemoteAccess.NONE;
      ShuffleStore store = new Stores(folder).open("1", 8L * Stores.REGION, remote);
      for (int map = 0; map < MAPS; map++) {
        byte[][] blocks = new byte[PARTITIONS][];
        for (int partition = 0; partition < PARTITIONS; partition++) {
          blocks[partition] = bytes(map, partition);
        }
        Stores.write(store, SHUFFLE, map, 0, blocks);
      }
      StoreDescriptor where = store.descriptor();
      ShuffleDescriptor shuffle = store.describe(SHUFFLE).orElseThrow();
      Files.write(
          folder.resolve("where"),
          List.of(
              String.join(" ", where.directories()),
              String.join(" ", where.verbsAddresses()),
              where.nonceHigh() + " " + where.nonceLow() + " " + where.chunkSize(),
              "%d %d".formatted(shuffle.generation(), shuffle.word()),
              "%d %d".formatted(shuffle.directoryRegion(), shuffle.directoryOffset())));
      System.out.println("committed");
      // Until it is killed.
      Thread.currentThread().join();
    }
  }

  /** What the driver would tell of the process. */
  private Registry registry() throws IOException {
    List<List<String>> lines = new ArrayList<>();
    for (String line : Files.readAllLines(folder.resolve("where"))) {
      lines.add(Arrays.stream(line.split(" ", -1)).filter(word -> !word.isEmpty()).toList());
    }
    StoreDescriptor where =
        new StoreDescriptor(
            Long.parseLong(lines.get(2).get(0)),
            Long.parseLong(lines.get(2).get(1)),
            lines.get(0),
            Integer.parseInt(lines.get(2).get(2)),
            lines.get(1));
    ShuffleDescriptor shuffle =
        new ShuffleDescriptor(
            SHUFFLE,
            PARTITIONS,
            Long.parseLong(lines.get(3).get(0)),
            Integer.parseInt(lines.get(3).get(1)),
            Integer.parseInt(lines.get(4).get(0)),
            Integer.parseInt(lines.get(4).get(1)));
    return new Registry().with("1", where, shuffle);
  }

  @ParameterizedTest
  @EnumSource(ShmTransport.Mode.class)
  void anExecutorThatIsStoppedIsReadBySharedMemory(ShmTransport.Mode mode) throws Exception {
    readFromAStoppedProcess("shm", new ShmTransport(mode));
  }

  @Test
  @Tag(VerbsFixture.TAG)
  void anExecutorThatIsStoppedIsReadByRdma() throws Exception {
    readFromAStoppedProcess("verbs", VerbsTransport.open(VerbsFixture.settings()));
  }

  private void readFromAStoppedProcess(String name, Transport transport) throws Exception {
    BlockId[] wanted = new BlockId[MAPS * PARTITIONS];
    Arrays.setAll(wanted, i -> block(i / PARTITIONS, i % PARTITIONS));
    try (transport;
        ChildJvm owner = new ChildJvm(List.of(), Owner.class, folder.toString(), name)) {
      assertThat(owner.until("committed")).endsWith("committed\n");
      Registry registry = registry();
      try (FetchClient client = client(registry, null, transport);
          SegmentIterator segments =
              client.fetch(SHUFFLE, List.of(blocks("1", wanted)), LIMITS, new Watching())) {
        assertIsNext(segments, wanted[0], name);
        owner.stop();

        for (int i = 1; i < wanted.length; i++) {
          assertIsNext(segments, wanted[i], name);
        }

        assertThat(segments.next()).isNull();
        assertThat(owner.stopped()).as("stopped to the end").isTrue();
        assertThat(client.stats().falls()).isEmpty();
        assertThat(client.stats().rereads()).isZero();
        assertThat(registry.lookups).isEqualTo(1);
      }
    }
  }

  private static void assertIsNext(SegmentIterator segments, BlockId id, String transport)
      throws IOException {
    Fetching.Got got = Fetching.read(segments.next());
    assertThat(got.block()).isEqualTo(id);
    assertThat(got.transport()).isEqualTo(transport);
    assertThat(got.bytes()).isEqualTo(bytes((int) id.mapId(), id.partition()));
  }
}
