package io.verbena.it.local;

import static org.apache.spark.sql.functions.col;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.holdenkarau.spark.testing.JavaDatasetSuiteBase;
import com.holdenkarau.spark.testing.JavaRDDComparisons;
import io.verbena.it.cluster.AppSpec;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;
import org.apache.spark.HashPartitioner;
import org.apache.spark.SparkEnv;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import scala.Tuple2;

/** Results in {@code local[2]}, compared with spark-testing-base, whose comparisons shuffle too. */
final class ComparisonTest {
  private static final List<Integer> NUMBERS = IntStream.range(0, 1_000).boxed().toList();

  @TempDir private static Path folder;

  private static SparkSession session;
  private static JavaSparkContext context;

  @BeforeAll
  static void start() {
    session =
        SparkSession.builder()
            .master("local[2]")
            .appName("comparison")
            .config("spark.shuffle.manager", AppSpec.VERBENA_MANAGER)
            .config("spark.shuffle.rdma.pool.regionSize", "16m")
            .config("spark.shuffle.rdma.pool.limit", "128m")
            .config("spark.sql.shuffle.partitions", "6")
            .config("spark.sql.warehouse.dir", folder.resolve("warehouse").toString())
            .config("spark.local.dir", folder.toString())
            .config("spark.driver.host", "127.0.0.1")
            .config("spark.driver.bindAddress", "127.0.0.1")
            .config("spark.ui.enabled", "false")
            .getOrCreate();
    context = JavaSparkContext.fromSparkContext(session.sparkContext());
  }

  @AfterAll
  static void stop() {
    session.stop();
  }

  private static JavaRDD<Integer> shuffled() {
    return context
        .parallelize(NUMBERS, 4)
        .mapToPair(i -> new Tuple2<>(i, i))
        .partitionBy(new HashPartitioner(7))
        .values();
  }

  private static Dataset<Row> squares() {
    return session.range(0, 500, 1, 4).selectExpr("id", "id * id as square");
  }

  @Test
  void theManagerUnderTestIsOurs() {
    assertThat(SparkEnv.get().shuffleManager().getClass().getName())
        .isEqualTo(AppSpec.VERBENA_MANAGER);
  }

  @Test
  void shuffledRecordsAreTheSameAsBefore() {
    JavaRDDComparisons.assertRDDEquals(shuffled(), context.parallelize(NUMBERS, 3));
  }

  @Test
  void comparisonFindsALostRecord() {
    JavaRDD<Integer> lost = shuffled().filter(i -> i != 471);

    assertThat(JavaRDDComparisons.compareRDD(lost, context.parallelize(NUMBERS, 3)).isDefined())
        .isTrue();
  }

  @Test
  void sortedRecordsAreInOrder() {
    JavaRDDComparisons.assertRDDEqualsWithOrder(
        shuffled().sortBy(i -> i, true, 4), context.parallelize(NUMBERS, 4));
  }

  @Test
  void repartitionedRowsAreTheSameAsBefore() {
    new JavaDatasetSuiteBase()
        .assertDataFrameNoOrderEquals(squares(), squares().repartition(9, col("square")));
  }

  @Test
  void datasetComparisonFindsAnotherRow() {
    assertThatThrownBy(
            () ->
                new JavaDatasetSuiteBase()
                    .assertDataFrameNoOrderEquals(
                        squares(), squares().where("id <> 42").repartition(9)))
        .isInstanceOf(AssertionError.class);
  }
}
