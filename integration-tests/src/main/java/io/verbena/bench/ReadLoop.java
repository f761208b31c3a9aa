package io.verbena.bench;

import io.verbena.memory.MemoryView;
import io.verbena.transport.Connection;
import io.verbena.transport.Read;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/** Keeps a number of READs of one size posted for a while. Used by one thread. */
final class ReadLoop {
  private static final long LIMIT_SECONDS = 60;

  private final Connection connection;
  private final List<List<Read>> lists = new ArrayList<>();
  private final Semaphore[] done;
  private final int listLength;
  private final long listBytes;
  private volatile IOException failure;

  /**
   * READs of a size at a depth, in lists of a quarter of the depth.
   *
   * @param local registered memory with room for all of them
   */
  ReadLoop(Connection connection, MemoryView local, int size, int depth) {
    this.connection = connection;
    this.listLength = Math.max(1, depth / 4);
    this.listBytes = (long) listLength * size;
    int count = depth / listLength;
    this.done = new Semaphore[count];
    // The owner's memory is walked through as far as it goes without a gap.
    int places = (ReadServer.REGION - size) / size;
    for (int list = 0; list < count; list++) {
      Semaphore ended = new Semaphore(0);
      done[list] = ended;
      List<Read> reads = new ArrayList<>(listLength);
      for (int i = 0; i < listLength; i++) {
        int number = list * listLength + i;
        reads.add(
            new Read(
                0,
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
  static MemoryView memory(int size, int depth) {
    return MemoryView.of(ByteBuffer.allocateDirect(Math.multiplyExact(size, depth)));
  }

  private void end(Semaphore ended, IOException error) {
    if (error != null) {
      failure = error;
    }
    ended.release();
  }

  /** Reads for so many seconds and gives bytes a second. */
  double run(double seconds) throws IOException, InterruptedException {
    long start = System.nanoTime();
    long end = start + (long) (seconds * 1e9);
    long bytes = 0;
    for (List<Read> reads : lists) {
      connection.post(reads);
    }
    int posted = lists.size();
    for (int list = 0; posted > 0; list = (list + 1) % done.length) {
      await(list);
      bytes += listBytes;
      if (System.nanoTime() < end) {
        connection.post(lists.get(list));
      } else {
        posted--;
      }
    }
    return bytes * 1e9 / (System.nanoTime() - start);
  }

  private void await(int list) throws IOException, InterruptedException {
    if (!done[list].tryAcquire(listLength, LIMIT_SECONDS, TimeUnit.SECONDS)) {
      throw new BenchException("READs did not complete within " + LIMIT_SECONDS + " s");
    }
    if (failure != null) {
      throw failure;
    }
  }
}
