package io.verbena.spark;

import static io.verbena.spark.TaskMemory.MIB;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.Random;
import org.apache.spark.memory.SparkOutOfMemoryError;
import org.apache.spark.memory.TaskMemoryManager;
import org.apache.spark.unsafe.Platform;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PartitionPagesTest {
  private static final int PARTITIONS = 50;

  private final ByteArrayOutputStream[] expected = new ByteArrayOutputStream[PARTITIONS];
  private final ByteArrayOutputStream[] written = new ByteArrayOutputStream[PARTITIONS];
  private final long seed = System.nanoTime();
  private final Random random = new Random(seed);
  private int spills;

  PartitionPagesTest() {
    for (int i = 0; i < PARTITIONS; i++) {
      expected[i] = new ByteArrayOutputStream();
      written[i] = new ByteArrayOutputStream();
    }
  }

  private void collect(PartitionPages pages) throws IOException {
    spills++;
    for (int i = 0; i < PARTITIONS; i++) {
      ByteArrayOutputStream to = written[i];
      int before = to.size();
      pages.drain(
          i,
          (base, offset, length) -> {
            byte[] bytes = new byte[length];
            Platform.copyMemory(base, offset, bytes, Platform.BYTE_ARRAY_OFFSET, length);
            to.write(bytes, 0, length);
          });
      assertThat((long) to.size() - before).isEqualTo(pages.bytes(i));
    }
  }

  private void insertRandom(PartitionPages pages, int records, int longest) throws IOException {
    byte[] bytes = new byte[longest];
    for (int i = 0; i < records; i++) {
      random.nextBytes(bytes);
      int length = 1 + random.nextInt(longest);
      // The last one stays empty.
      int partition = random.nextInt(PARTITIONS - 1);
      pages.insert(bytes, length, partition);
      expected[partition].write(bytes, 0, length);
    }
  }

  private void assertAllWritten() {
    for (int i = 0; i < PARTITIONS; i++) {
      // Not by an assertion on the arrays: its message would be all of them.
      assertThat(java.util.Arrays.equals(written[i].toByteArray(), expected[i].toByteArray()))
          .as(
              "partition %s: %s of %s bytes, seed %s",
              i, written[i].size(), expected[i].size(), seed)
          .isTrue();
    }
  }

  @ParameterizedTest
  @CsvSource({
    // off heap, MiB, records, bytes of the longest
    "false, 2, 60000, 200",
    "true, 2, 60000, 200",
    "false, 16, 400, 300000",
    "false, 4, 15000, 3000",
    "true, 1, 30000, 2000"
  })
  void everyByteIsWrittenOnceAndInOrder(boolean offHeap, int mib, int records, int longest)
      throws IOException {
    TaskMemoryManager memory = TaskMemory.of(offHeap, mib * MIB);
    PartitionPages pages = new PartitionPages(memory, PARTITIONS, this::collect);
    insertRandom(pages, records, longest);
    pages.seal();
    collect(pages);

    assertAllWritten();
    assertThat(spills).as("the load does not fit").isGreaterThan(2);
    assertThat(pages.peakBytes()).isPositive().isLessThanOrEqualTo(mib * MIB);
    pages.free();
    assertThat(memory.getMemoryConsumptionForThisTask()).isZero();
  }

  @Test
  void littleMemoryLiesIdleWhetherRecordsAreFewOrMany() throws IOException {
    TaskMemoryManager memory = TaskMemory.of(false, 64 * MIB);
    PartitionPages pages = new PartitionPages(memory, PARTITIONS, this::collect);
    insertRandom(pages, 10, 100);
    assertThat(pages.getUsed()).isEqualTo(64 << 10);
    insertRandom(pages, 100_000, 500);
    long bytes = 0;
    for (int i = 0; i < PARTITIONS; i++) {
      bytes += pages.bytes(i);
    }
    assertThat(pages.getUsed()).isBetween(bytes, bytes + bytes / 8);
    pages.free();
  }

  @Test
  void aRecordThatFitsNowhereIsSparksOutOfMemoryError() {
    TaskMemoryManager memory = TaskMemory.of(false, MIB);
    PartitionPages pages = new PartitionPages(memory, PARTITIONS, this::collect);
    int length = (int) (2 * MIB);
    assertThatThrownBy(() -> pages.insert(new byte[length], length, 0))
        .isInstanceOf(SparkOutOfMemoryError.class);
    assertThat(pages.isEmpty()).isTrue();
    pages.free();
    assertThat(memory.getMemoryConsumptionForThisTask()).isZero();
  }

  @Test
  void anotherConsumerOfTheTaskGetsTheMemory() throws IOException {
    TaskMemoryManager memory = TaskMemory.of(false, 2 * MIB);
    PartitionPages pages = new PartitionPages(memory, PARTITIONS, this::collect);
    insertRandom(pages, 5_000, 200);
    TaskMemory.Greedy other = new TaskMemory.Greedy(memory);

    assertThat(other.acquireMemory(2 * MIB)).isGreaterThan(MIB);

    assertAllWritten();
    assertThat(pages.isEmpty()).isTrue();
    other.freeMemory(other.getUsed());
    insertRandom(pages, 10, 200);
    pages.seal();
    collect(pages);
    assertAllWritten();
    pages.free();
    assertThat(memory.getMemoryConsumptionForThisTask()).isZero();
  }
}
