package io.verbena.spark;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.spark.memory.MemoryMode;
import org.apache.spark.memory.SparkOutOfMemoryError;
import org.apache.spark.memory.TaskMemoryManager;
import org.apache.spark.unsafe.memory.MemoryBlock;

/** Serialised records of a map task in pages of Spark's memory, which are moved as bytes. */
abstract class MovedRecords extends SpillableRecords {
  private final List<MemoryBlock> pages = new ArrayList<>();

  /** The page that is being filled; null before the first and after a spill. */
  MemoryBlock page;

  /** Where its free part begins, in its coordinates. */
  long cursor;

  private long pageEnd;

  MovedRecords(TaskMemoryManager memory, long pageSize, MemoryMode mode) {
    super(memory, pageSize, mode);
  }

  /** Appends a record of {@code length} bytes. */
  abstract void insert(byte[] bytes, int length, int partition) throws IOException;

  final boolean pageHas(long bytes) {
    return page != null && cursor + bytes <= pageEnd;
  }

  /** Begins a page with this many bytes free. That may make a run of everything before. */
  final void nextPage(long bytes) throws IOException {
    MemoryBlock next = allocate(bytes);
    pages.add(next);
    page = next;
    cursor = next.getBaseOffset();
    pageEnd = cursor + next.size();
    notePeak();
  }

  private MemoryBlock allocate(long bytes) throws IOException {
    try {
      return allocatePage(bytes);
    } catch (SparkOutOfMemoryError e) {
      // Spark asks us last; other consumers may have taken what our own spill gave back.
      if (!spillAll()) {
        throw e;
      }
      return allocatePage(bytes);
    }
  }

  final void freePages() {
    pages.forEach(this::freePage);
    pages.clear();
    page = null;
  }
}
