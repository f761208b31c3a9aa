package io.verbena.table;

import io.verbena.memory.Extent;
import java.io.IOException;

/** Where a table's blocks come from. */
public interface TableMemory {
  /**
   * Takes zeroed memory.
   *
   * @param length bytes, at most {@link #largest}
   * @throws IOException when there is none
   */
  Extent allocate(int length) throws IOException;

  /** Bytes that a tile should not exceed. */
  int preferred();

  /** Bytes of a region, which a tile exceeds only when not one slot fits. */
  int region();

  /** Bytes that nothing can exceed. */
  int largest();
}
