package io.verbena.transport.verbs;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import io.verbena.memory.MemoryView;
import io.verbena.table.HandMadePeer;
import io.verbena.transport.Connection;
import io.verbena.transport.Read;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** READs cost no garbage, neither where they are posted nor where they complete. */
@Tag(VerbsFixture.TAG)
@Timeout(120)
class VerbsAllocationTest {
  private static final int WARM_UP = 2_000;
  private static final int LISTS = 2_000;
  private static final int MOST_BYTES_PER_LIST = 8;
  private static final long DEADLINE_NANOS = Duration.ofSeconds(30).toNanos();

  @TempDir Path folder;
  private final AtomicInteger done = new AtomicInteger();

  @Test
  void readsInSteadyStateAllocateNothing() throws Exception {
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    try (VerbsTransport owner = VerbsTransport.open(VerbsFixture.settings());
        VerbsTransport reader = VerbsTransport.open(VerbsFixture.settings())) {
      HandMadePeer peer = new HandMadePeer(folder, 1 << 16, 4096, 5, owner);
      MemoryView local = MemoryView.of(ByteBuffer.allocateDirect(1 << 16));
      reader.register(local);
      Read.Completion count = failure -> done.addAndGet(failure == null ? 1 : 1 << 20);
      List<Read> reads =
          List.of(
              new Read(0, 0, 512, local, 0, count, false),
              new Read(0, 4096, 512, local, 512, count, false),
              new Read(Connection.CONTROL, 0, 8, local, 1024, count));
      try (Connection connection = reader.connect("3", peer.descriptor())) {
        post(connection, reads, WARM_UP);
        long poller = reader.pollerThread().getId();
        long mine = Thread.currentThread().getId();
        long before =
            threads.getThreadAllocatedBytes(poller) + threads.getThreadAllocatedBytes(mine);

        post(connection, reads, LISTS);

        long after =
            threads.getThreadAllocatedBytes(poller) + threads.getThreadAllocatedBytes(mine);
        assertThat((after - before) / LISTS)
            .as("bytes for each list of three READs")
            .isLessThan(MOST_BYTES_PER_LIST);
      }
    }
  }

  private void post(Connection connection, List<Read> reads, int times) throws IOException {
    for (int i = 0; i < times; i++) {
      done.set(0);
      connection.post(reads);
      long deadline = System.nanoTime() + DEADLINE_NANOS;
      while (done.get() < reads.size()) {
        if (System.nanoTime() - deadline > 0) {
          throw new AssertionError("READs did not complete");
        }
        Thread.onSpinWait();
      }
      if (done.get() != reads.size()) {
        throw new AssertionError("a READ failed");
      }
    }
  }
}
