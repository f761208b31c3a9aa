package io.verbena.spark;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.apache.spark.SparkConf;
import org.apache.spark.memory.MemoryConsumer;
import org.apache.spark.memory.MemoryManager;
import org.apache.spark.memory.SparkOutOfMemoryError;
import org.apache.spark.memory.TaskMemoryManager;
import org.apache.spark.memory.UnifiedMemoryManager;
import org.apache.spark.unsafe.Platform;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RecordPagesTest {
  private static final long MIB = 1 << 20;

  private final List<String> spilled = new ArrayList<>();
  private int spills;

  private static TaskMemoryManager memory(boolean offHeap, long bytes) {
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
    MemoryManager manager = UnifiedMemoryManager.apply(conf, 1);
    return new TaskMemoryManager(manager, 0);
  }

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
    TaskMemoryManager memory = memory(offHeap, 2 * MIB);
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
    TaskMemoryManager memory = memory(false, 16 * MIB);
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
    TaskMemoryManager memory = memory(false, MIB);
    RecordPages pages = new RecordPages(memory, this::collect);

    assertThatThrownBy(() -> pages.insert(new byte[(int) (2 * MIB)], (int) (2 * MIB), 0))
        .isInstanceOf(SparkOutOfMemoryError.class);
    pages.free();
    assertThat(memory.getMemoryConsumptionForThisTask()).isZero();
  }

  @Test
  void anotherConsumerOfTheTaskGetsTheMemory() throws IOException {
    TaskMemoryManager memory = memory(false, 2 * MIB);
    RecordPages pages = new RecordPages(memory, this::collect);
    List<String> expected = insertRandom(pages, 5_000, 200, 1);
    Greedy other = new Greedy(memory);

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
    TaskMemoryManager memory = memory(false, 2 * MIB);
    RecordPages pages = new RecordPages(memory, this::collect);
    insertRandom(pages, 100, 200, 1);
    long[] released = {-1};
    Thread other =
        new Thread(
            () -> {
              try {
                released[0] = pages.spill(MIB, new Greedy(memory));
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

  /** Takes memory and never gives any back by itself. */
  private static final class Greedy extends MemoryConsumer {
    Greedy(TaskMemoryManager memory) {
      super(memory, memory.getTungstenMemoryMode());
    }

    @Override
    public long spill(long size, MemoryConsumer trigger) {
      return 0;
    }
  }
}
