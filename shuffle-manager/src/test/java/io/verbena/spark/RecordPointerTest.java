package io.verbena.spark;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import org.apache.spark.memory.TaskMemoryManager;
import org.junit.jupiter.api.Test;

class RecordPointerTest {
  @Test
  void partitionAndAddressComeBackOutOfAnyPointer() {
    long seed = System.nanoTime();
    Random random = new Random(seed);
    for (int i = 0; i < 10_000; i++) {
      int partition = random.nextInt(RecordPointer.MAX_PARTITIONS);
      int page = random.nextInt(1 << 13);
      long offset = random.nextInt((int) (RecordPointer.MAX_OFFSET / 4)) * 4L;
      long address = TaskMemoryManager.encodePageNumberAndOffset(page, offset);

      long pointer = RecordPointer.pack(partition, address);

      assertThat(RecordPointer.partition(pointer)).as("seed %s", seed).isEqualTo(partition);
      assertThat(RecordPointer.address(pointer)).as("seed %s", seed).isEqualTo(address);
    }
  }

  @Test
  void extremesDoNotTouchEachOther() {
    long highest =
        TaskMemoryManager.encodePageNumberAndOffset((1 << 13) - 1, RecordPointer.MAX_OFFSET - 4);

    long none = RecordPointer.pack(0, highest);
    long all = RecordPointer.pack(RecordPointer.MAX_PARTITIONS - 1, 0);

    assertThat(RecordPointer.partition(none)).isZero();
    assertThat(RecordPointer.address(none)).isEqualTo(highest);
    assertThat(RecordPointer.partition(all)).isEqualTo(RecordPointer.MAX_PARTITIONS - 1);
    assertThat(RecordPointer.address(all)).isZero();
  }
}
