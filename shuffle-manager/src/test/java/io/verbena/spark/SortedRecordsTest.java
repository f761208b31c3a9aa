package io.verbena.spark;

import static io.verbena.spark.TaskMemory.MIB;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.apache.spark.SparkEnv;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.memory.TaskMemoryManager;
import org.apache.spark.serializer.JavaSerializer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import scala.Product2;
import scala.Tuple2;
import scala.collection.Iterator;

/** Records that a reduce task sorts on the heap. */
class SortedRecordsTest {
  private static final Comparator<Integer> ORDER = Comparator.naturalOrder();

  @TempDir Path folder;

  private final long seed = System.nanoTime();
  private final Random random = new Random(seed);
  private final List<Product2<Integer, Object>> expected = new ArrayList<>();
  private JavaSparkContext context;
  private SpilledRecords.Place place;

  @BeforeEach
  void start() {
    context = new LocalSpark(folder).start();
    SparkEnv env = SparkEnv.get();
    place = new SpilledRecords.Place(env, new JavaSerializer(env.conf()).newInstance());
  }

  @AfterEach
  void stop() {
    context.stop();
  }

  private SortedRecords<Integer, Object> records(TaskMemoryManager memory) {
    return new SortedRecords<>(memory, place);
  }

  /** Few keys, so that many are equal; the value is the number of the record. */
  private Product2<Integer, Object> record(int number) {
    return new Tuple2<>(random.nextInt(500), number);
  }

  private SortedRecords<Integer, Object> insertAll(TaskMemoryManager memory, int count) {
    SortedRecords<Integer, Object> records = records(memory);
    for (int i = 0; i < count; i++) {
      Product2<Integer, Object> record = record(i);
      expected.add(record);
      assertThat(records.insert(record._1(), record._2())).isTrue();
    }
    // Stable, as the one under test must be.
    expected.sort(Comparator.comparing(Product2::_1));
    return records;
  }

  private static <T> List<T> take(Iterator<T> records, int count) {
    List<T> taken = new ArrayList<>();
    while (taken.size() < count && records.hasNext()) {
      taken.add(records.next());
    }
    return taken;
  }

  private List<Path> files() throws IOException {
    try (Stream<Path> all = Files.walk(folder)) {
      return all.filter(path -> path.getFileName().toString().startsWith("temp_local")).toList();
    }
  }

  @Test
  void recordsComeByKeyAndEqualOnesAsTheyCame() {
    TaskMemoryManager memory = TaskMemory.of(false, 64 * MIB);
    SortedRecords<Integer, Object> records = insertAll(memory, 10_000);
    assertThat(take(records.sorted(ORDER), Integer.MAX_VALUE))
        .as("seed %s", seed)
        .isEqualTo(expected);
    // Each is more than two objects and less than 200 bytes.
    assertThat(records.peakBytes()).isBetween(10_000L * 32, 10_000L * 400);
    records.free();
    assertThat(memory.getMemoryConsumptionForThisTask()).isZero();
  }

  @Test
  void withoutRecordsNothingComes() {
    Iterator<Product2<Integer, Object>> sorted = records(TaskMemory.of(false, MIB)).sorted(ORDER);
    assertThat(sorted.hasNext()).isFalse();
    assertThatThrownBy(sorted::next).isInstanceOf(java.util.NoSuchElementException.class);
  }

  @Test
  void whenMemoryIsRefusedEverythingGoesOnAsItCame() {
    TaskMemoryManager memory = TaskMemory.of(false, 2 * MIB);
    SortedRecords<Integer, Object> records = records(memory);
    List<Product2<Integer, Object>> inserted = new ArrayList<>();
    boolean granted = true;
    while (granted) {
      Product2<Integer, Object> record = record(inserted.size());
      inserted.add(record);
      granted = records.insert(record._1(), record._2());
    }
    assertThat(inserted).hasSizeBetween(5_000, 60_000);
    Iterator<Product2<Integer, Object>> input = records(TaskMemory.of(false, MIB)).sorted(ORDER);
    Iterator<Product2<Integer, Object>> drained = records.drain(input);
    assertThat(memory.getMemoryConsumptionForThisTask()).isZero();
    assertThat(take(drained, Integer.MAX_VALUE)).isEqualTo(inserted);
    records.free();
  }

  @Test
  void aRecordLargerThanTheMemoryIsRefused() {
    SortedRecords<Integer, Object> records = records(TaskMemory.of(false, 4 * MIB));
    assertThat(records.insert(1, new byte[5 << 20])).isFalse();
  }

  @Test
  void whenMemoryIsWantedTheRestIsReadFromAFile() throws IOException {
    TaskMemoryManager memory = TaskMemory.of(false, 8 * MIB);
    SortedRecords<Integer, Object> records = insertAll(memory, 20_000);
    Iterator<Product2<Integer, Object>> sorted = records.sorted(ORDER);
    List<Product2<Integer, Object>> read = take(sorted, 7_000);

    new TaskMemory.Greedy(memory).acquireMemory(8 * MIB);

    assertThat(records.getUsed()).isZero();
    assertThat(records.spilledBytes()).isGreaterThan(20_000 * 32);
    assertThat(files()).hasSize(1);
    assertThat(records.fileBytes()).isEqualTo(Files.size(files().get(0)));
    read.addAll(take(sorted, Integer.MAX_VALUE));
    assertThat(read).as("seed %s", seed).isEqualTo(expected);
    assertThat(sorted.hasNext()).isFalse();
    records.free();
    assertThat(files()).isEmpty();
    records.free();
  }

  @Test
  void nothingIsSpilledBeforeTheFirstRecordIsHandedOutOrAfterTheLast() throws IOException {
    TaskMemoryManager memory = TaskMemory.of(false, 8 * MIB);
    SortedRecords<Integer, Object> records = insertAll(memory, 1_000);
    TaskMemory.Greedy other = new TaskMemory.Greedy(memory);
    assertThat(records.spill(MIB, other)).isZero();
    Iterator<Product2<Integer, Object>> sorted = records.sorted(ORDER);
    assertThat(take(sorted, 1_000)).isEqualTo(expected);
    assertThat(records.spill(MIB, other)).isZero();
    records.free();
    assertThat(records.spill(MIB, other)).isZero();
    assertThat(files()).isEmpty();
  }

  @Test
  void anotherThreadOfTheTaskMayTakeTheMemory() throws InterruptedException {
    TaskMemoryManager memory = TaskMemory.of(false, 16 * MIB);
    SortedRecords<Integer, Object> records = insertAll(memory, 50_000);
    Iterator<Product2<Integer, Object>> sorted = records.sorted(ORDER);
    List<Product2<Integer, Object>> read = take(sorted, 1_000);
    Thread other = new Thread(() -> new TaskMemory.Greedy(memory).acquireMemory(16 * MIB));
    other.start();
    read.addAll(take(sorted, Integer.MAX_VALUE));
    other.join();
    assertThat(read).as("seed %s", seed).isEqualTo(expected);
    records.free();
  }

  @Test
  void aFailedSpillLeavesNoFileAndLosesNoRecord() throws IOException {
    SortedRecords<Integer, Object> records = records(TaskMemory.of(false, 8 * MIB));
    Object notSerialisable = new Object();
    records.insert(2, "second");
    records.insert(3, notSerialisable);
    records.insert(1, "first");
    Iterator<Product2<Integer, Object>> sorted = records.sorted(ORDER);
    assertThatThrownBy(() -> records.spill(MIB, null))
        .isInstanceOf(java.io.NotSerializableException.class);
    assertThat(files()).isEmpty();
    assertThat(take(sorted, 3))
        .extracting(Product2::_2)
        .containsExactly("first", "second", notSerialisable);
    records.free();
  }

  @Test
  void whoReadsOnAfterTheTaskHasEndedGetsNothing() {
    SortedRecords<Integer, Object> records = insertAll(TaskMemory.of(false, 8 * MIB), 100);
    Iterator<Product2<Integer, Object>> sorted = records.sorted(ORDER);
    take(sorted, 10);
    records.free();
    assertThat(sorted.hasNext()).isFalse();
    assertThatThrownBy(sorted::next).isInstanceOf(java.util.NoSuchElementException.class);
  }
}
