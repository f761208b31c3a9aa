package io.verbena.fetch;

import static io.verbena.fetch.Fetching.LIMITS;
import static io.verbena.fetch.Fetching.block;
import static io.verbena.fetch.Fetching.peer;
import static org.assertj.core.api.Assertions.assertThat;

import io.verbena.fetch.Fetching.Watching;
import io.verbena.store.ShuffleStore;
import io.verbena.store.StoreDescriptor;
import io.verbena.transport.Connection;
import io.verbena.transport.Read;
import io.verbena.transport.Transport;
import io.verbena.transport.UnreachableException;
import io.verbena.transport.shm.ShmTransport;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** READs that end at any moment of the task's own doings. */
@Timeout(300)
class ArrivalRaceTest {
  private static final int SHUFFLE = 3;
  private static final int MAPS = 2;
  private static final int ROUNDS = 20_000;

  @TempDir Path directory;

  /**
   * Completes READs on a thread that never sleeps, some nanoseconds after they were posted. Where
   * there is one processor for all, whoever waits for the other leaves it.
   */
  @SuppressWarnings("ThreadPriorityCheck") // nothing depends on it but time
  private static final class SoonOverShm implements Transport, Connection {
    private final ShmTransport shm = new ShmTransport(ShmTransport.Mode.READ);
    private final Random random = new Random(9);
    private final AtomicReference<List<Read>> posted = new AtomicReference<>();
    private final Thread thread = new Thread(this::run, "completes-soon");
    private volatile boolean closed;
    private Connection under;

    @Override
    public String name() {
      return "soon";
    }

    @Override
    public Connection connect(String executorId, StoreDescriptor store)
        throws UnreachableException {
      under = shm.connect(executorId, store);
      thread.start();
      return this;
    }

    @Override
    public boolean synchronous() {
      return false;
    }

    @Override
    public void post(List<Read> reads) throws IOException {
      under.post(
          reads.stream()
              .map(
                  read ->
                      new Read(
                          read.region(),
                          read.offset(),
                          read.length(),
                          read.into(),
                          read.intoOffset(),
                          failure -> {}))
              .toList());
      while (!posted.compareAndSet(null, reads)) {
        Thread.yield();
      }
    }

    private void run() {
      while (!closed) {
        List<Read> reads = posted.get();
        if (reads == null) {
          Thread.yield();
          continue;
        }
        long end = System.nanoTime() + random.nextInt(20_000);
        while (System.nanoTime() < end) {
          Thread.onSpinWait();
        }
        posted.set(null);
        reads.forEach(read -> read.completion().done(null));
      }
    }

    @Override
    public void close() {
      closed = true;
      shm.close();
    }
  }

  @Test
  void theLastBlockIsNotLostHoweverLateItComes() throws Exception {
    try (Stores stores = new Stores(directory)) {
      ShuffleStore store = stores.open("1", 8L * Stores.REGION);
      List<BlockId> ids = new ArrayList<>();
      for (int map = 0; map < MAPS; map++) {
        Stores.write(store, SHUFFLE, map, 0, new byte[][] {new byte[40]});
        ids.add(block(map, 0));
      }
      PeerBlocks wanted = new PeerBlocks(peer("1"), ids, 40L * MAPS);
      try (FetchClient client =
          new FetchClient(
              "self", null, List.of(new SoonOverShm()), null, stores, 4 << 20, Stores.CHUNK)) {
        for (int round = 0; round < ROUNDS; round++) {
          int seen = 0;
          try (SegmentIterator segments =
              client.fetch(SHUFFLE, List.of(wanted), LIMITS, new Watching())) {
            while (segments.next() != null) {
              seen++;
            }
          }
          assertThat(seen).as("round %d", round).isEqualTo(MAPS);
        }
      }
    }
  }
}
