package io.verbena.spark;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.Iterator;
import java.util.List;
import java.util.stream.IntStream;
import org.apache.spark.HashPartitioner;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import scala.Tuple2;

/**
 * Callers that give one object again and again, as Spark SQL does. Not with Java serialization,
 * which writes an object that it met before as a reference: there the job is wrong with Spark's own
 * shuffle as well.
 */
class ReusedRecordsTest {
  @TempDir Path folder;

  @ParameterizedTest
  @EnumSource(
      mode = EnumSource.Mode.EXCLUDE,
      names = {"JAVA", "ENCRYPTED_AND_COMPRESSED"})
  void recordsThatTheCallerReusesAreTakenAsTheyWere(LocalModeTest.Setup setup) {
    long sum =
        setup
            .on(new LocalSpark(folder))
            .run(
                context ->
                    context
                        .parallelize(List.of(0, 1, 2, 3), 4)
                        .mapPartitionsToPair(ReusedRecordsTest::reusedArrays)
                        .partitionBy(new HashPartitioner(5))
                        .map(record -> record._2()[0])
                        .reduce(Long::sum));

    assertThat(sum).isEqualTo(4 * (999L * 1000 / 2));
  }

  private static Iterator<Tuple2<Integer, long[]>> reusedArrays(Iterator<Integer> unused) {
    long[] value = new long[1];
    return IntStream.range(0, 1000)
        .mapToObj(
            i -> {
              value[0] = i;
              return new Tuple2<>(i, value);
            })
        .iterator();
  }
}
