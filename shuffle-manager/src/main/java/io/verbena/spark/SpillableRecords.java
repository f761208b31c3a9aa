package io.verbena.spark;

import java.io.IOException;
import org.apache.spark.memory.MemoryConsumer;
import org.apache.spark.memory.MemoryMode;
import org.apache.spark.memory.TaskMemoryManager;

/**
 * Records of a map task in Spark's memory. When Spark asks for memory, everything becomes a run and
 * all memory goes back.
 *
 * <p>Threads: the task's thread. A request for memory that comes on another one (a Python writer
 * thread) is declined, because a record may be half written.
 */
abstract class SpillableRecords extends MemoryConsumer {
  /** Writes all records of one kind of memory as one run. */
  @FunctionalInterface
  interface Spiller<R extends SpillableRecords> {
    void spill(R records) throws IOException;
  }

  private final Thread owner = Thread.currentThread();
  private long peak;
  private long spilled;
  private boolean busy;

  SpillableRecords(TaskMemoryManager memory, long pageSize, MemoryMode mode) {
    super(memory, pageSize, mode);
  }

  /** Writes all records as one run. They stay until {@link #free}. */
  abstract void writeRun() throws IOException;

  abstract boolean isEmpty();

  /** Forgets the records and gives their memory back to Spark. */
  abstract void release();

  @Override
  public final long spill(long size, MemoryConsumer trigger) throws IOException {
    if (Thread.currentThread() != owner || busy || isEmpty()) {
      return 0;
    }
    busy = true;
    try {
      writeRun();
      long freed = free();
      spilled += freed;
      return freed;
    } finally {
      busy = false;
    }
  }

  /** Makes a run of everything, as when Spark asks; whether there was anything. */
  final boolean spillAll() throws IOException {
    return spill(Long.MAX_VALUE, this) > 0;
  }

  /** From here on nothing is spilled any more: the owner writes the last run. */
  final void seal() {
    busy = true;
  }

  /** Gives all memory back and forgets the records; returns the bytes. Idempotent. */
  final long free() {
    notePeak();
    long before = getUsed();
    release();
    return before - getUsed();
  }

  /** To be called after memory was taken. */
  final void notePeak() {
    peak = Math.max(peak, getUsed());
  }

  /** Bytes of Spark's memory held at most so far. */
  final long peakBytes() {
    return peak;
  }

  /** Bytes of Spark's memory given back by spills so far. */
  final long spilledBytes() {
    return spilled;
  }
}
