package io.verbena.spark;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;
import org.apache.spark.HashPartitioner;
import org.apache.spark.SparkEnv;
import org.apache.spark.api.java.JavaSparkContext;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import scala.Tuple2;

/** Map tasks whose records do not fit into the memory that Spark grants them. */
class LocalSpillTest {
  private static final int MAPS = 4;
  private static final int RECORDS_PER_MAP = 200_000;

  @TempDir Path folder;

  private record Result(long records, long keys, ExecutorFigures figures) {}

  @ParameterizedTest
  @CsvSource({
    // A way to write each: in chunks by partition, with sorted pointers, a stream per partition.
    "org.apache.spark.serializer.KryoSerializer, 9",
    "org.apache.spark.serializer.KryoSerializer, 1025",
    "org.apache.spark.serializer.JavaSerializer, 9"
  })
  void whatDoesNotFitBecomesFurtherRunsAndNothingIsLost(String serializer, int partitions) {
    Result result =
        new LocalSpark(folder)
            .with("spark.serializer", serializer)
            .with("spark.buffer.pageSize", "128k")
            .with("spark.testing", "true")
            .with("spark.testing.memory", "4194304")
            .with("spark.testing.reservedMemory", "0")
            .run(context -> shuffle(context, partitions));

    assertThat(result.records()).isEqualTo(MAPS * RECORDS_PER_MAP);
    assertThat(result.keys()).isEqualTo((long) MAPS * RECORDS_PER_MAP);
    assertThat(result.figures().store().runsInPool()).isGreaterThan(2 * MAPS);
  }

  private static Result shuffle(JavaSparkContext context, int partitions) {
    List<Long> counts =
        context
            .parallelize(IntStream.range(0, MAPS).boxed().toList(), MAPS)
            .flatMapToPair(
                map ->
                    IntStream.range(0, RECORDS_PER_MAP)
                        .mapToObj(i -> new Tuple2<>(map * RECORDS_PER_MAP + i, "record " + i))
                        .iterator())
            .partitionBy(new HashPartitioner(partitions))
            .mapPartitions(
                records -> {
                  long count = 0;
                  java.util.BitSet keys = new java.util.BitSet();
                  while (records.hasNext()) {
                    keys.set(records.next()._1());
                    count++;
                  }
                  return List.of(count, (long) keys.cardinality()).iterator();
                })
            .collect();
    long records = 0;
    long keys = 0;
    for (int i = 0; i < counts.size(); i += 2) {
      records += counts.get(i);
      keys += counts.get(i + 1);
    }
    RdmaShuffleManager manager = (RdmaShuffleManager) SparkEnv.get().shuffleManager();
    return new Result(records, keys, manager.engineFigures());
  }
}
