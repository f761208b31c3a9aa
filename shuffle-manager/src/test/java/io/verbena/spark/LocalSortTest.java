package io.verbena.spark;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.apache.spark.HashPartitioner;
import org.apache.spark.api.java.JavaPairRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.scheduler.SparkListener;
import org.apache.spark.scheduler.SparkListenerTaskEnd;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import scala.Tuple2;

/** Sorted reduce partitions, with memory for all records of a task and without. */
class LocalSortTest {
  private static final int MAPS = 4;
  private static final int RECORDS_PER_MAP = 100_000;
  private static final int REDUCES = 2;

  @TempDir Path folder;

  private record Result(List<Integer> counts, long spilled) {}

  @ParameterizedTest
  @CsvSource({
    // bytes of memory, what follows in the same task, whether anything is spilled
    "268435456, nothing, false",
    "268435456, shuffle, false",
    "8388608, nothing, true",
    // Enough for the records of one task alone, and then not for what it writes.
    "50000000, shuffle, true"
  })
  void everyRecordComesOnceAndInOrder(long memory, String then, boolean spills) {
    Result result =
        new LocalSpark(folder)
            .with("spark.serializer", "org.apache.spark.serializer.KryoSerializer")
            .with("spark.testing", "true")
            .with("spark.testing.memory", Long.toString(memory))
            .with("spark.testing.reservedMemory", "0")
            .run(context -> sort(context, then.equals("shuffle")));

    assertThat(result.counts()).containsOnly(1).hasSize(MAPS * RECORDS_PER_MAP);
    assertThat(result.spilled() > 0).as("bytes spilled: %s", result.spilled()).isEqualTo(spills);
  }

  /** How often each key came. */
  private static Result sort(JavaSparkContext context, boolean shuffleThen) {
    AtomicLong spilled = new AtomicLong();
    context
        .sc()
        .addSparkListener(
            new SparkListener() {
              @Override
              public void onTaskEnd(SparkListenerTaskEnd end) {
                spilled.addAndGet(end.taskMetrics().diskBytesSpilled());
              }
            });
    JavaPairRDD<Integer, String> sorted =
        context
            .parallelize(IntStream.range(0, MAPS).boxed().toList(), MAPS)
            .flatMapToPair(
                map ->
                    IntStream.range(0, RECORDS_PER_MAP)
                        // Backwards.
                        .map(i -> (RECORDS_PER_MAP - 1 - i) * MAPS + map)
                        .mapToObj(i -> new Tuple2<>(i, "record " + i))
                        .iterator())
            .repartitionAndSortWithinPartitions(new HashPartitioner(REDUCES))
            .mapPartitionsToPair(LocalSortTest::inOrder, true);
    JavaPairRDD<Integer, String> last =
        shuffleThen ? sorted.partitionBy(new HashPartitioner(REDUCES + 1)) : sorted;
    int[] counts = new int[MAPS * RECORDS_PER_MAP];
    last.keys().collect().forEach(key -> counts[key]++);
    waitForListener(context);
    return new Result(IntStream.of(counts).boxed().toList(), spilled.get());
  }

  private static void waitForListener(JavaSparkContext context) {
    try {
      context.sc().listenerBus().waitUntilEmpty();
    } catch (java.util.concurrent.TimeoutException e) {
      throw new AssertionError(e);
    }
  }

  /** Passes records on, which must come in ascending order. */
  private static java.util.Iterator<Tuple2<Integer, String>> inOrder(
      java.util.Iterator<Tuple2<Integer, String>> records) {
    return new java.util.Iterator<>() {
      private int previous = -1;

      @Override
      public boolean hasNext() {
        return records.hasNext();
      }

      @Override
      public Tuple2<Integer, String> next() {
        Tuple2<Integer, String> record = records.next();
        if (record._1() <= previous || !record._2().equals("record " + record._1())) {
          throw new IllegalStateException(record + " after " + previous);
        }
        previous = record._1();
        return record;
      }
    };
  }
}
