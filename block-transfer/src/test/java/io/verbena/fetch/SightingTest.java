package io.verbena.fetch;

import static io.verbena.fetch.Fetching.block;
import static io.verbena.fetch.Fetching.blocks;
import static io.verbena.fetch.Fetching.client;
import static io.verbena.fetch.Fetching.readAll;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.verbena.fetch.Fetching.Registry;
import io.verbena.memory.MemoryView;
import io.verbena.store.StoreDescriptor;
import io.verbena.table.HandMadePeer;
import io.verbena.table.HandMadePeer.HandMadeShuffle;
import io.verbena.transport.AsyncOverShm;
import io.verbena.transport.Connection;
import io.verbena.transport.Read;
import io.verbena.transport.Transport;
import io.verbena.transport.UnreachableException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A removed shuffle's memory may have been given back: who has not seen the shuffle alive for a
 * while looks at its generation word before anything else.
 */
class SightingTest {
  private static final int SHUFFLE = 3;

  @TempDir Path directory;
  private final Posts posts = new Posts();
  private final Registry registry = new Registry();
  private HandMadePeer peer;
  private HandMadeShuffle shuffle;

  /** Remembers of each list of READs which regions it names. */
  private static final class Posts implements Transport {
    final List<List<Integer>> regions = new ArrayList<>();
    private final AsyncOverShm under = new AsyncOverShm();

    @Override
    public String name() {
      return under.name();
    }

    @Override
    public Registration register(MemoryView memory) {
      return under.register(memory);
    }

    @Override
    public Connection connect(String executorId, StoreDescriptor store)
        throws UnreachableException {
      Connection connection = under.connect(executorId, store);
      return new Connection() {
        @Override
        public boolean synchronous() {
          return connection.synchronous();
        }

        @Override
        public void post(List<Read> reads) throws IOException {
          regions.add(reads.stream().map(Read::region).toList());
          connection.post(reads);
        }

        @Override
        public void close() {
          connection.close();
        }
      };
    }

    @Override
    public void close() {
      under.close();
    }

    /** Lists of READs that name the generation word alone. */
    long ofTheWordAlone() {
      return regions.stream().filter(List.of(Connection.CONTROL)::equals).count();
    }
  }

  @BeforeEach
  void makePeer() throws IOException {
    peer = new HandMadePeer(directory, 16 << 20, 64 << 10, 42);
    shuffle = peer.newShuffle(SHUFFLE, 2, 5);
    shuffle.addRun(9, 0, 1, 0, new byte[100], new byte[200]);
    registry.with("1", peer.descriptor(), shuffle.descriptor());
  }

  private static void expire(FetchClient client) throws IOException {
    for (RemoteShuffle each : client.remotes().acquire(SHUFFLE, List.of("1")).values()) {
      each.sighting().expire();
      client.remotes().release(each.link());
    }
  }

  @Test
  void theWordIsReadAloneFirstAndAgainAfterAWhile() throws Exception {
    try (FetchClient client = client(registry, null, posts)) {
      assertThat(readAll(client, SHUFFLE, blocks("1", block(9, 0)))).hasSize(1);
      assertThat(posts.regions.get(0)).containsExactly(Connection.CONTROL);
      assertThat(posts.ofTheWordAlone()).isEqualTo(1);

      assertThat(readAll(client, SHUFFLE, blocks("1", block(9, 1)))).hasSize(1);
      assertThat(posts.ofTheWordAlone()).as("it was seen just now").isEqualTo(1);

      expire(client);
      assertThat(readAll(client, SHUFFLE, blocks("1", block(9, 0)))).hasSize(1);
      assertThat(posts.ofTheWordAlone()).isEqualTo(2);
    }
  }

  @Test
  void nothingOfARemovedShuffleIsReadButItsWord() throws Exception {
    shuffle.remove();
    try (FetchClient client = client(registry, null, posts)) {
      assertThatThrownBy(() -> readAll(client, SHUFFLE, blocks("1", block(9, 0))))
          .isInstanceOf(FetchException.class)
          .hasMessageContaining("the shuffle was removed there");

      assertThat(posts.regions).containsExactly(List.of(Connection.CONTROL));
      assertThat(client.stats().falls()).isEmpty();
    }
  }

  @Test
  void aReaderThatWasBusyForLongReadsNothingOfAShuffleThatWentMeanwhile() throws Exception {
    int maps = 40;
    List<BlockId> wanted = new ArrayList<>();
    for (int map = 10; map < 10 + maps; map++) {
      shuffle.addRun(map, 0, 1, 0, new byte[100_000], new byte[1]);
      wanted.add(block(map, 0));
    }
    FetchLimits one = new FetchLimits(1, 1, 1, Fetching.LIMITS.timeout());
    try (FetchClient client = client(registry, null, posts);
        SegmentIterator segments =
            client.fetch(
                SHUFFLE,
                List.of(blocks("1", wanted.toArray(new BlockId[0]))),
                one,
                new Fetching.Watching())) {
      Fetching.read(segments.next());
      shuffle.remove();
      expire(client);
      int before = posts.regions.size();

      assertThatThrownBy(
              () -> {
                for (int i = 0; i < maps; i++) {
                  Fetching.read(segments.next());
                }
              })
          .isInstanceOf(FetchException.class)
          .hasMessageContaining("the shuffle was removed there");

      assertThat(posts.regions.subList(before, posts.regions.size()))
          .allSatisfy(regions -> assertThat(regions).containsOnly(Connection.CONTROL));
      assertThat(client.stats().falls()).isEqualTo(Map.of());
    }
  }
}
