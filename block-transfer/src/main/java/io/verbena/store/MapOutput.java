package io.verbena.store;

import java.io.IOException;

/**
 * One map task attempt's output while it is written: any number of runs, published together.
 *
 * <p>Threads: owned by one task thread, except that Spark's memory manager may write a run (a
 * spill) on another thread while the owner waits; calls never overlap.
 */
public final class MapOutput implements AutoCloseable {
  MapOutput() {}

  /** Begins the next run. The previous one is finished. */
  public RunWriter newRun() {
    throw new UnsupportedOperationException();
  }

  /** Bytes written so far in all runs. */
  public long bytes() {
    throw new UnsupportedOperationException();
  }

  /**
   * Publishes all runs: afterwards readers find the map output. Call it once.
   *
   * @return bytes of each reduce partition over all runs, as readers will fetch them
   * @throws IOException when the table has no room or the announcement fails; nothing is left
   */
  public long[] commit() throws IOException {
    throw new UnsupportedOperationException();
  }

  /** Frees everything unless committed. Idempotent. */
  @Override
  public void close() {
    throw new UnsupportedOperationException();
  }
}
