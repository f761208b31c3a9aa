package io.verbena.fetch;

import io.verbena.store.ShuffleLease;
import io.verbena.store.ShuffleStore;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A block service in memory: frames blocks of a store on its own threads, as an executor's network
 * threads do, and gives out copies that must be released.
 */
class StoreService implements BlockService, AutoCloseable {
  private static final int LIMIT_SECONDS = 30;

  private final ExecutorService threads = Executors.newFixedThreadPool(2);
  private final ShuffleStore store;
  final AtomicInteger requests = new AtomicInteger();
  final AtomicInteger unreleased = new AtomicInteger();
  final AtomicInteger mostBlocksAtOnce = new AtomicInteger();

  StoreService(ShuffleStore store) {
    this.store = store;
  }

  /** For tests to break what is sent. */
  ByteBuffer tamper(BlockId block, ByteBuffer frames) {
    return frames;
  }

  /** For tests to serve on the asking thread, which then waits for nothing. */
  void start(Runnable serving) {
    threads.execute(serving);
  }

  @Override
  public void fetch(Peer peer, int shuffleId, List<BlockId> blocks, Listener listener) {
    requests.incrementAndGet();
    mostBlocksAtOnce.accumulateAndGet(blocks.size(), Math::max);
    start(() -> blocks.forEach(block -> serve(shuffleId, block, listener)));
  }

  private void serve(int shuffleId, BlockId block, Listener listener) {
    ByteBuffer frames;
    try (ShuffleLease lease =
        store
            .lease(shuffleId)
            .orElseThrow(() -> new IOException("nothing of shuffle " + shuffleId + " is here"))) {
      List<ByteBuffer> parts =
          BlockFrames.encode(lease, shuffleId, block.mapId(), block.partition());
      frames = ByteBuffer.allocate(parts.stream().mapToInt(ByteBuffer::remaining).sum());
      parts.forEach(frames::put);
    } catch (IOException e) {
      listener.failed(block, e);
      return;
    }
    unreleased.incrementAndGet();
    AtomicInteger releases = new AtomicInteger();
    listener.received(
        block,
        tamper(block, frames.flip()),
        () -> {
          if (releases.incrementAndGet() != 1) {
            throw new AssertionError("released twice");
          }
          unreleased.decrementAndGet();
        });
  }

  /** What a thread is serving meanwhile is released when this returns, or the test ends here. */
  @Override
  public void close() {
    threads.shutdownNow();
    try {
      if (!threads.awaitTermination(LIMIT_SECONDS, TimeUnit.SECONDS)) {
        throw new AssertionError("still serving after " + LIMIT_SECONDS + " s");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AssertionError("interrupted while serving ended", e);
    }
  }
}
