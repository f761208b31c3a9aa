package io.verbena.probe;

import io.verbena.memory.MemoryView;
import io.verbena.transport.Connection;
import io.verbena.transport.Read;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.LongConsumer;

/** READs of one size out of {@link ServedMemory}. Used by one thread. */
public final class ReadLoop {
  private final Connection connection;
  private final List<List<Read>> lists = new ArrayList<>();
  private final Semaphore[] done;
  private final int size;
  private final int listLength;
  private final Duration limit;
  private volatile IOException failure;

  /**
   * READs of a size at a depth, in lists of a quarter of the depth.
   *
   * @param regionSize bytes of the region that is read
   * @param local registered memory with room for all of them
   * @param limit longest wait for one list
   */
  public ReadLoop(
      Connection connection,
      int regionSize,
      MemoryView local,
      int size,
      int depth,
      Duration limit) {
    this.connection = connection;
    this.size = size;
    this.limit = limit;
    this.listLength = Math.max(1, depth / 4);
    int count = depth / listLength;
    this.done = new Semaphore[count];
    // The owner's memory is walked through as far as it goes without a gap.
    int places = ServedMemory.blocks(regionSize) * ServedMemory.BLOCK / size;
    for (int list = 0; list < count; list++) {
      Semaphore ended = new Semaphore(0);
      done[list] = ended;
      List<Read> reads = new ArrayList<>(listLength);
      for (int i = 0; i < listLength; i++) {
        int number = list * listLength + i;
        reads.add(
            new Read(
                ServedMemory.REGION,
                number % places * size,
                size,
                local,
                number * size,
                error -> end(ended, error),
                false));
      }
      lists.add(reads);
    }
  }

  /** Memory that the READs are written into. */
  public static MemoryView memory(int size, int depth) {
    return MemoryView.of(ByteBuffer.allocateDirect(Math.multiplyExact(size, depth)));
  }

  private void end(Semaphore ended, IOException error) {
    if (error != null) {
      failure = error;
    }
    ended.release();
  }

  /** Keeps all READs posted for so long and gives bytes a second. */
  public double run(Duration time) throws IOException, InterruptedException {
    long start = System.nanoTime();
    long bytes = 0;
    for (List<Read> reads : lists) {
      connection.post(reads);
    }
    int posted = lists.size();
    for (int list = 0; posted > 0; list = (list + 1) % done.length) {
      await(list);
      bytes += (long) listLength * size;
      if (System.nanoTime() - start < time.toNanos()) {
        connection.post(lists.get(list));
      } else {
        posted--;
      }
    }
    return bytes * 1e9 / (System.nanoTime() - start);
  }

  /** Posts the first list again and again, each time when it has completed, and times it. */
  public void each(Duration time, LongConsumer nanos) throws IOException, InterruptedException {
    long start = System.nanoTime();
    long begun = start;
    while (begun - start < time.toNanos()) {
      connection.post(lists.get(0));
      await(0);
      long now = System.nanoTime();
      nanos.accept(now - begun);
      begun = now;
    }
  }

  private void await(int list) throws IOException, InterruptedException {
    if (!done[list].tryAcquire(listLength, limit.toNanos(), TimeUnit.NANOSECONDS)) {
      throw new IOException(
          "READs of %d bytes did not complete within %d s".formatted(size, limit.toSeconds()));
    }
    if (failure != null) {
      throw failure;
    }
  }
}
