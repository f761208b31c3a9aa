package io.verbena.spark;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.IntStream;
import org.apache.spark.HashPartitioner;
import org.apache.spark.api.java.JavaPairRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.AfterParameterizedClassInvocation;
import org.junit.jupiter.params.BeforeParameterizedClassInvocation;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;
import scala.Tuple2;

/** Whole jobs in one process, for each way of writing and each serializer. */
@ParameterizedClass
@EnumSource
class LocalModeTest {
  private static final int RECORDS = 20_000;

  @TempDir static Path folder;

  private static JavaSparkContext context;

  @Parameter Setup setup;

  /** Configurations that make a difference to writers and readers. */
  enum Setup {
    JAVA,
    KRYO("spark.serializer", "org.apache.spark.serializer.KryoSerializer"),
    KRYO_REGISTERED(
        "spark.serializer",
        "org.apache.spark.serializer.KryoSerializer",
        "spark.kryo.registrationRequired",
        "true",
        // Of Spark and Scala, not ours: what the job's own code sends.
        "spark.kryo.classesToRegister",
        "scala.Tuple2,[J,[Lscala.Tuple2;,[Ljava.util.List;,scala.collection.mutable.ArraySeq$ofRef,"
            + "[Ljava.lang.Object;,scala.reflect.ManifestFactory$ObjectManifest,"
            + "java.lang.Class"),
    COMPRESSED(
        "spark.serializer",
        "org.apache.spark.serializer.KryoSerializer",
        "spark.shuffle.rdma.compress",
        "always"),
    ENCRYPTED(
        "spark.serializer",
        "org.apache.spark.serializer.KryoSerializer",
        "spark.io.encryption.enabled",
        "true"),
    ENCRYPTED_AND_COMPRESSED(
        "spark.io.encryption.enabled", "true", "spark.shuffle.rdma.compress", "always"),
    SMALL_CHUNKS(
        "spark.serializer",
        "org.apache.spark.serializer.KryoSerializer",
        "spark.shuffle.rdma.chunkSize",
        "64k");

    @SuppressWarnings("ImmutableEnumChecker") // never written
    private final List<String> pairs;

    Setup(String... pairs) {
      this.pairs = List.of(pairs);
    }

    LocalSpark on(LocalSpark spark) {
      for (int i = 0; i < pairs.size(); i += 2) {
        spark.with(pairs.get(i), pairs.get(i + 1));
      }
      return spark;
    }
  }

  @BeforeParameterizedClassInvocation
  static void start(Setup setup) {
    context = setup.on(new LocalSpark(folder)).start();
  }

  @AfterParameterizedClassInvocation
  static void stop() {
    context.stop();
  }

  private static JavaPairRDD<Integer, String> input() {
    List<Integer> numbers = IntStream.range(0, RECORDS).boxed().toList();
    return context
        .parallelize(new ArrayList<>(numbers), 5)
        .mapToPair(i -> new Tuple2<>(i % 1000, "value " + i));
  }

  @Test
  void partitionByMovesEveryRecordToItsPartition() {
    List<List<Tuple2<Integer, String>>> partitions =
        input().partitionBy(new HashPartitioner(7)).glom().collect();

    List<String> seen = new ArrayList<>();
    assertThat(partitions).hasSize(7);
    for (int p = 0; p < partitions.size(); p++) {
      for (Tuple2<Integer, String> record : partitions.get(p)) {
        assertThat(record._1() % 7).isEqualTo(p);
        seen.add(record._2());
      }
    }
    // Sorted: comparing in any order takes the square of the time.
    List<String> expected =
        IntStream.range(0, RECORDS).mapToObj(i -> "value " + i).sorted().toList();
    Collections.sort(seen);
    assertThat(seen).isEqualTo(expected);
  }

  @Test
  void reduceByKeyCombinesOnTheMapSide() {
    Map<Integer, Integer> counts =
        input()
            .mapToPair(record -> new Tuple2<>(record._1(), 1))
            .reduceByKey(Integer::sum, 6)
            .collectAsMap();

    Map<Integer, Integer> expected = new HashMap<>();
    IntStream.range(0, 1000).forEach(key -> expected.put(key, RECORDS / 1000));
    assertThat(counts).isEqualTo(expected);
  }

  @Test
  void sortByKeyOrdersAcrossPartitions() {
    List<Integer> keys = input().sortByKey(true, 4).keys().collect();

    List<Integer> expected = new ArrayList<>();
    for (int i = 0; i < RECORDS; i++) {
      expected.add(i % 1000);
    }
    Collections.sort(expected);
    assertThat(keys).isEqualTo(expected);
  }

  @Test
  void groupByKeyAggregatesOnTheReduceSideAlone() {
    Map<Integer, Integer> sizes =
        input().groupByKey(5).mapValues(values -> count(values)).collectAsMap();

    assertThat(sizes).hasSize(1000).containsEntry(999, RECORDS / 1000);
  }

  private static int count(Iterable<?> values) {
    int count = 0;
    for (Object unused : values) {
      count++;
    }
    return count;
  }

  @Test
  void aSinglePartitionTakesEverything() {
    long count = input().partitionBy(new HashPartitioner(1)).values().count();

    assertThat(count).isEqualTo(RECORDS);
  }

  @Test
  void anEmptyInputGivesAnEmptyOutput() {
    long count =
        input().filter(record -> record._1() < 0).partitionBy(new HashPartitioner(3)).count();

    assertThat(count).isZero();
  }

  @Test
  void recordsLargerThanPagesAndChunksComeBackWhole() {
    List<Integer> hashes =
        context
            .parallelize(List.of(1, 2, 3, 4), 2)
            .mapToPair(i -> new Tuple2<>(i, bytes(i)))
            .partitionBy(new HashPartitioner(3))
            .map(record -> Arrays.hashCode(record._2()))
            .collect();

    assertThat(hashes)
        .containsExactlyInAnyOrderElementsOf(
            IntStream.of(1, 2, 3, 4).mapToObj(i -> Arrays.hashCode(bytes(i))).toList());
  }

  private static byte[] bytes(int seed) {
    byte[] bytes = new byte[5_000_000 + seed];
    new Random(seed).nextBytes(bytes);
    return bytes;
  }

  @Test
  void objectsAreSortedWhereStreamsWouldBeTooMany() {
    assertThat(input().partitionBy(new HashPartitioner(201)).values().distinct().count())
        .isEqualTo(RECORDS);
  }

  @Test
  void aShuffleIsReadAgainByALaterJob() {
    JavaPairRDD<Integer, String> shuffled = input().partitionBy(new HashPartitioner(4));

    assertThat(shuffled.count()).isEqualTo(RECORDS);
    assertThat(shuffled.values().distinct().count()).isEqualTo(RECORDS);
  }
}
