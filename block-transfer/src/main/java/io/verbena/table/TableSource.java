package io.verbena.table;

import io.verbena.memory.MemoryView;
import java.io.IOException;
import java.util.List;

/** Reads one peer's memory for a {@link TableReader}; knows the transport and the deadline. */
@FunctionalInterface
public interface TableSource {
  /**
   * A piece of a region.
   *
   * @param region region id
   * @param offset bytes from its start
   * @param length bytes
   */
  record Range(int region, int offset, int length) {}

  /**
   * Reads ranges one after another into {@code into}, packed; a later range is not older than an
   * earlier one. Then checks that the shuffle's generation still holds.
   *
   * @throws StaleTableException when the generation word holds another value
   * @throws IOException when the memory cannot be read
   */
  void read(List<Range> ranges, MemoryView into) throws IOException;
}
