package io.verbena.spark;

import java.io.IOException;
import org.apache.spark.memory.SparkOutOfMemoryError;
import org.apache.spark.memory.TaskMemoryManager;
import org.apache.spark.memory.TooLargePageException;
import org.apache.spark.unsafe.Platform;
import org.apache.spark.unsafe.array.LongArray;

/**
 * Serialised records of a map task in pages of Spark's memory, each with an 8-byte pointer.
 *
 * <p>A record is its length (4 bytes) and its bytes, padded to 4 bytes.
 */
final class RecordPages extends MovedRecords {
  static final int HEADER_SIZE = Integer.BYTES;

  private static final long INITIAL_POINTERS = 4096;

  private final Spiller<RecordPages> spiller;
  // Pointers, in the lower half; the sort needs the upper one.
  private LongArray pointers;
  private int count;

  RecordPages(TaskMemoryManager memory, Spiller<RecordPages> spiller) {
    super(
        memory,
        Math.min(memory.pageSizeBytes(), RecordPointer.MAX_OFFSET / 2),
        memory.getTungstenMemoryMode());
    this.spiller = spiller;
  }

  @Override
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
    if (!pageHas(size) || cursor - page.getBaseOffset() >= RecordPointer.MAX_OFFSET / 2) {
      nextPage(size);
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
      if (!spillAll()) {
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

  @Override
  void writeRun() throws IOException {
    spiller.spill(this);
  }

  @Override
  boolean isEmpty() {
    return count == 0;
  }

  @Override
  void release() {
    freePages();
    if (pointers != null) {
      freeArray(pointers);
      pointers = null;
    }
    count = 0;
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
