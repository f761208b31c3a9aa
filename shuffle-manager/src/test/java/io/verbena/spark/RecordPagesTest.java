package io.verbena.spark;

import static io.verbena.spark.TaskMemory.MIB;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.apache.spark.memory.SparkOutOfMemoryError;
import org.apache.spark.memory.TaskMemoryManager;
import org.apache.spark.unsafe.Platform;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RecordPagesTest {
  private final List<String> spilled = new ArrayList<>();
  private int spills;

  private void collect(RecordPages pages) {
    spills++;
    for (int i = 0; i < pages.count(); i++) {
      spilled.add(record(pages, pages.pointers().get(i)));
    }
  }

  private static String record(RecordPages pages, long pointer) {
    Object base = pages.base(pointer);
    long offset = pages.offset(pointer);
    byte[] bytes = new byte[Platform.getInt(base, offset)];
    Platform.copyMemory(
        base, offset + RecordPages.HEADER_SIZE, bytes, Platform.BYTE_ARRAY_OFFSET, bytes.length);
    return describe(RecordPointer.partition(pointer), bytes, bytes.length);
  }

  private static String describe(int partition, byte[] bytes, int length) {
    java.util.zip.CRC32 crc = new java.util.zip.CRC32();
    crc.update(bytes, 0, length);
    return partition + ":" + length + ":" + crc.getValue();
  }

  private List<String> insertRandom(RecordPages pages, int records, int longest, long seed)
      throws IOException {
    Random random = new Random(seed);
    List<String> expected = new ArrayList<>();
    byte[] bytes = new byte[longest];
    for (int i = 0; i < records; i++) {
      random.nextBytes(bytes);
      int length = 1 + random.nextInt(longest);
      int partition = random.nextInt(RecordPointer.MAX_PARTITIONS);
      pages.insert(bytes, length, partition);
      expected.add(describe(partition, bytes, length));
    }
    return expected;
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void everyRecordIsKeptOrSpilledOnce(boolean offHeap) throws IOException {
    long seed = System.nanoTime();
    TaskMemoryManager memory = TaskMemory.of(offHeap, 2 * MIB);
    RecordPages pages = new RecordPages(memory, this::collect);

    List<String> expected = insertRandom(pages, 60_000, 200, seed);
    pages.seal();
    collect(pages);

    assertThat(spilled).as("seed %s", seed).containsExactlyElementsOf(expected);
    assertThat(spills).as("the load does not fit").isGreaterThan(2);
    assertThat(pages.peakBytes()).isPositive().isLessThanOrEqualTo(2 * MIB);
    pages.free();
    assertThat(memory.getMemoryConsumptionForThisTask()).isZero();
  }

  @Test
  void recordsLargerThanAPageAreKeptWhole() throws IOException {
    long seed = System.nanoTime();
    TaskMemoryManager memory = TaskMemory.of(false, 16 * MIB);
    RecordPages pages = new RecordPages(memory, this::collect);

    List<String> expected = insertRandom(pages, 200, 300_000, seed);
    pages.seal();
    collect(pages);

    assertThat(spilled).as("seed %s", seed).containsExactlyElementsOf(expected);
    pages.free();
    assertThat(memory.getMemoryConsumptionForThisTask()).isZero();
  }

  @Test
  void aRecordThatFitsNowhereIsSparksOutOfMemoryError() {
    TaskMemoryManager memory = TaskMemory.of(false, MIB);
    RecordPages pages = new RecordPages(memory, this::collect);

    assertThatThrownBy(() -> pages.insert(new byte[(int) (2 * MIB)], (int) (2 * MIB), 0))
        .isInstanceOf(SparkOutOfMemoryError.class);
    pages.free();
    assertThat(memory.getMemoryConsumptionForThisTask()).isZero();
  }

  @Test
  void anotherConsumerOfTheTaskGetsTheMemory() throws IOException {
    TaskMemoryManager memory = TaskMemory.of(false, 2 * MIB);
    RecordPages pages = new RecordPages(memory, this::collect);
    List<String> expected = insertRandom(pages, 5_000, 200, 1);
    TaskMemory.Greedy other = new TaskMemory.Greedy(memory);

    assertThat(other.acquireMemory(2 * MIB)).isGreaterThan(MIB);

    assertThat(spilled).containsExactlyElementsOf(expected);
    other.freeMemory(other.getUsed());
    expected.addAll(insertRandom(pages, 10, 200, 2));
    pages.seal();
    collect(pages);
    assertThat(spilled).containsExactlyElementsOf(expected);
    pages.free();
    assertThat(memory.getMemoryConsumptionForThisTask()).isZero();
  }

  @Test
  void aRequestFromAnotherThreadIsDeclined() throws Exception {
    TaskMemoryManager memory = TaskMemory.of(false, 2 * MIB);
    RecordPages pages = new RecordPages(memory, this::collect);
    insertRandom(pages, 100, 200, 1);
    long[] released = {-1};
    Thread other =
        new Thread(
            () -> {
              try {
                released[0] = pages.spill(MIB, new TaskMemory.Greedy(memory));
              } catch (IOException e) {
                throw new java.io.UncheckedIOException(e);
              }
            });
    other.start();
    other.join();

    assertThat(released[0]).isZero();
    assertThat(pages.count()).isEqualTo(100);
    pages.free();
  }
}
