package io.verbena.spark;

import org.apache.spark.SparkConf;
import org.apache.spark.memory.MemoryConsumer;
import org.apache.spark.memory.TaskMemoryManager;
import org.apache.spark.memory.UnifiedMemoryManager;

/** Memory of a task, for tests. */
final class TaskMemory {
  static final long MIB = 1 << 20;

  private TaskMemory() {}

  /** All of it for execution, in pages of 64 KiB. */
  static TaskMemoryManager of(boolean offHeap, long bytes) {
    SparkConf conf =
        new SparkConf(false)
            .set("spark.buffer.pageSize", "64k")
            .set("spark.testing", "true")
            .set("spark.testing.memory", Long.toString(bytes))
            .set("spark.testing.reservedMemory", "0")
            .set("spark.memory.fraction", "1")
            .set("spark.memory.storageFraction", "0")
            .set("spark.memory.offHeap.enabled", Boolean.toString(offHeap))
            .set("spark.memory.offHeap.size", Long.toString(bytes));
    return new TaskMemoryManager(UnifiedMemoryManager.apply(conf, 1), 0);
  }

  /** Takes memory and never gives any back by itself. */
  static final class Greedy extends MemoryConsumer {
    Greedy(TaskMemoryManager memory) {
      super(memory, memory.getTungstenMemoryMode());
    }

    @Override
    public long spill(long size, MemoryConsumer trigger) {
      return 0;
    }
  }
}
