package io.verbena.spark;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.spark.memory.MemoryConsumer;
import org.apache.spark.memory.SparkOutOfMemoryError;
import org.apache.spark.memory.TaskMemoryManager;
import org.apache.spark.memory.TooLargePageException;
import org.apache.spark.unsafe.Platform;
import org.apache.spark.unsafe.array.LongArray;
import org.apache.spark.unsafe.memory.MemoryBlock;

/**
 * Serialised records of a map task in pages of Spark's memory, each with an 8-byte pointer. When
 * Spark asks for memory, everything becomes a run and the pages go back.
 *
 * <p>A record is its length (4 bytes) and its bytes, padded to 4 bytes.
 *
 * <p>Threads: the task's thread. A request for memory that comes on another one (a Python writer
 * thread) is declined, because a record may be half written.
 */
final class RecordPages extends MemoryConsumer {
  static final int HEADER_SIZE = Integer.BYTES;

  private static final long INITIAL_POINTERS = 4096;

  /** Takes all records, sorted by partition, before their memory is given back. */
  @FunctionalInterface
  interface Spiller {
    void spill(RecordPages pages) throws IOException;
  }

  private final Spiller spiller;
  private final Thread owner = Thread.currentThread();
  private final List<MemoryBlock> pages = new ArrayList<>();
  // Pointers, in the lower half; the sort needs the upper one.
  private LongArray pointers;
  private int count;
  private MemoryBlock page;
  private long cursor;
  private long pageEnd;
  private long peak;
  private boolean busy;

  RecordPages(TaskMemoryManager memory, Spiller spiller) {
    super(
        memory,
        Math.min(memory.pageSizeBytes(), RecordPointer.MAX_OFFSET / 2),
        memory.getTungstenMemoryMode());
    this.spiller = spiller;
  }

  /** Appends a record of {@code length} bytes. */
  void insert(byte[] bytes, int length, int partition) throws IOException {
    reservePointer();
    int padded = (HEADER_SIZE + length + 3) & ~3;
    if (padded < 0) {
      throw new IOException("A record of " + length + " bytes is too large");
    }
    // First the pointer: a spill for the page then leaves an array that the next line finds.
    reservePage(padded);
    if (pointers == null) {
      reservePointer();
    }
    Object base = page.getBaseObject();
    long address = taskMemoryManager.encodePageNumberAndOffset(page, cursor);
    Platform.putInt(base, cursor, length);
    Platform.copyMemory(bytes, Platform.BYTE_ARRAY_OFFSET, base, cursor + HEADER_SIZE, length);
    cursor += padded;
    pointers.set(count++, RecordPointer.pack(partition, address));
  }

  private void reservePage(int size) throws IOException {
    if (page != null
        && cursor + size <= pageEnd
        && cursor - page.getBaseOffset() < RecordPointer.MAX_OFFSET / 2) {
      return;
    }
    MemoryBlock next = allocate(size);
    pages.add(next);
    page = next;
    cursor = next.getBaseOffset();
    pageEnd = cursor + next.size();
    notePeak();
  }

  private MemoryBlock allocate(int size) throws IOException {
    try {
      return allocatePage(size);
    } catch (SparkOutOfMemoryError e) {
      // Spark asks us last; other consumers may have taken what our own spill gave back.
      if (spill(Long.MAX_VALUE, this) == 0) {
        throw e;
      }
      return allocatePage(size);
    }
  }

  private void reservePointer() throws IOException {
    if (pointers != null && count < pointers.size() / 2) {
      return;
    }
    long wanted = pointers == null ? INITIAL_POINTERS : pointers.size() * 2;
    LongArray larger;
    try {
      larger = allocateArray(wanted);
    } catch (TooLargePageException | SparkOutOfMemoryError e) {
      if (spill(Long.MAX_VALUE, this) == 0) {
        throw e;
      }
      larger = allocateArray(INITIAL_POINTERS);
    }
    // Getting memory may have made a run of everything.
    if (pointers != null) {
      Platform.copyMemory(
          pointers.getBaseObject(),
          pointers.getBaseOffset(),
          larger.getBaseObject(),
          larger.getBaseOffset(),
          (long) count * Long.BYTES);
      freeArray(pointers);
    }
    pointers = larger;
    notePeak();
  }

  private void notePeak() {
    peak = Math.max(peak, getUsed());
  }

  @Override
  public long spill(long size, MemoryConsumer trigger) throws IOException {
    if (Thread.currentThread() != owner || busy || count == 0) {
      return 0;
    }
    busy = true;
    try {
      spiller.spill(this);
      return free();
    } finally {
      busy = false;
    }
  }

  /** From here on nothing is spilled any more: the owner writes the last run. */
  void seal() {
    busy = true;
  }

  /** Gives all memory back and forgets the records; returns the bytes. Idempotent. */
  long free() {
    notePeak();
    long before = getUsed();
    pages.forEach(this::freePage);
    pages.clear();
    page = null;
    if (pointers != null) {
      freeArray(pointers);
      pointers = null;
    }
    count = 0;
    return before - getUsed();
  }

  /** Bytes of Spark's memory held at most so far. */
  long peakBytes() {
    return peak;
  }

  int count() {
    return count;
  }

  LongArray pointers() {
    return pointers;
  }

  /** Base object of the page that a pointer names; null in native memory. */
  Object base(long pointer) {
    return taskMemoryManager.getPage(RecordPointer.address(pointer));
  }

  /** Where the record that a pointer names begins, in the coordinates of its page. */
  long offset(long pointer) {
    return taskMemoryManager.getOffsetInPage(RecordPointer.address(pointer));
  }
}
