package io.verbena.it;

import static org.assertj.core.api.Assertions.assertThat;

import com.holdenkarau.spark.testing.JavaRDDComparisons;
import io.verbena.it.cluster.AppSpec;
import java.util.List;
import java.util.stream.LongStream;
import org.apache.spark.HashPartitioner;
import org.apache.spark.api.java.JavaPairRDD;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.functions;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import scala.Tuple2;

/**
 * What comes out of a shuffle compared with what went in, record by record, with the driver and the
 * executor in this process. The comparison shuffles, too.
 */
final class ComparedInProcessTest {
  private static SparkSession session;

  @BeforeAll
  static void start() {
    session =
        SparkSession.builder()
            .master("local[2]")
            .appName("compared")
            .config("spark.shuffle.manager", AppSpec.VERBENA_MANAGER)
            .config("spark.shuffle.rdma.pool.regionSize", "16m")
            .config("spark.ui.enabled", "false")
            .config("spark.driver.host", "127.0.0.1")
            .config("spark.driver.bindAddress", "127.0.0.1")
            .config("spark.sql.shuffle.partitions", "3")
            .getOrCreate();
  }

  @AfterAll
  static void stop() {
    session.stop();
  }

  private static JavaPairRDD<Long, String> pairs(long count) {
    List<Long> numbers = LongStream.range(0, count).boxed().toList();
    return JavaSparkContext.fromSparkContext(session.sparkContext())
        .parallelize(numbers, 4)
        .mapToPair(i -> new Tuple2<>(i % 97, "value " + i));
  }

  @Test
  void shuffledPairsAreThePairsThatWentIn() {
    JavaPairRDD<Long, String> pairs = pairs(5_000);
    JavaRDD<Tuple2<Long, String>> shuffled =
        pairs.partitionBy(new HashPartitioner(5)).map(pair -> pair);
    assertThat(JavaRDDComparisons.compareRDD(pairs.map(pair -> pair), shuffled).isEmpty()).isTrue();
  }

  @Test
  void comparisonFindsOneMissingPair() {
    assertThat(
            JavaRDDComparisons.compareRDD(
                    pairs(1_000).map(pair -> pair), pairs(999).map(pair -> pair))
                .isDefined())
        .isTrue();
  }

  @Test
  void sortedPairsComeInTheOrderOfTheirKeys() {
    JavaPairRDD<Long, String> pairs = pairs(3_000).distinct();
    List<Tuple2<Long, String>> inOrder =
        pairs.collect().stream().sorted((a, b) -> Long.compare(a._1(), b._1())).toList();
    JavaRDD<Long> expected =
        JavaSparkContext.fromSparkContext(session.sparkContext())
            .parallelize(inOrder.stream().map(Tuple2::_1).toList(), 3);
    assertThat(JavaRDDComparisons.compareRDDWithOrder(expected, pairs.sortByKey().keys()).isEmpty())
        .isTrue();
  }

  @Test
  void repartitionedDatasetIsTheDatasetThatWentIn() {
    Dataset<Row> rows =
        session
            .range(0, 5_000, 1, 4)
            .select(
                functions.col("id"),
                functions.col("id").mod(97).as("k"),
                functions.concat(functions.lit("value "), functions.col("id")).as("v"));
    Dataset<Row> shuffled = rows.repartition(5, functions.col("k"));
    assertThat(JavaRDDComparisons.compareRDD(rows.toJavaRDD(), shuffled.toJavaRDD()).isEmpty())
        .isTrue();
  }
}
