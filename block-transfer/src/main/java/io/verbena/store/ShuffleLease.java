package io.verbena.store;

import java.util.List;
import java.util.Optional;

/**
 * A reader's hold on a shuffle in the same process. Buffers and paths that it gives out are valid
 * until it is closed.
 *
 * <p>Threads: any; close it once nobody uses its buffers. Close is idempotent.
 */
public final class ShuffleLease implements AutoCloseable {
  ShuffleLease() {}

  /**
   * The segments of a block, one for each run of the map output that has bytes for the partition,
   * in order of runs; an empty list for an empty block; empty when the map output was not published
   * here.
   */
  public Optional<List<LocalSegment>> block(long mapId, int partition) {
    throw new UnsupportedOperationException();
  }

  /** Map ids published here so far. */
  public long[] mapIds() {
    throw new UnsupportedOperationException();
  }

  @Override
  public void close() {
    throw new UnsupportedOperationException();
  }
}
