package io.verbena.bench.work;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbena.apps.tpch.TpchQueries;
import io.verbena.it.cluster.AppSpec;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Every workload, tiny, in {@code local[2]}: right numbers, and results that do not vary. */
final class WorkloadRunTest {
  @TempDir private static Path folder;

  private static SparkSession session;
  private static JavaSparkContext context;

  @BeforeAll
  static void start() throws IOException {
    session =
        SparkSession.builder()
            .master("local[2]")
            .appName("workloads")
            .config("spark.shuffle.manager", AppSpec.VERBENA_MANAGER)
            .config("spark.shuffle.rdma.pool.regionSize", "16m")
            .config("spark.shuffle.rdma.pool.limit", "128m")
            .config("spark.sql.warehouse.dir", folder.resolve("warehouse").toString())
            .config("spark.local.dir", folder.toString())
            .config("spark.driver.host", "127.0.0.1")
            .config("spark.driver.bindAddress", "127.0.0.1")
            .config("spark.ui.enabled", "false")
            .getOrCreate();
    context = JavaSparkContext.fromSparkContext(session.sparkContext());
    makeFlights();
  }

  @AfterAll
  static void stop() {
    session.stop();
  }

  /** Some flights, in the form of the package's, where the workload looks for them. */
  private static void makeFlights() throws IOException {
    Path data = folder.resolve("vega-datasets-3.2.1");
    session
        .range(0, 3_000, 1, 2)
        .selectExpr(
            "timestamp'2001-01-01' + make_interval(0, 0, 0, 0, id) as date",
            "cast(id % 90 - 20 as smallint) as delay",
            "cast(id % 7 * 100 as smallint) as distance",
            "concat('A', id % 5) as origin",
            "concat('A', id % 7) as destination")
        .write()
        .parquet(data.resolve("flights-3m.parquet").toString());
    // Two of the seven are not listed.
    Files.writeString(
        data.resolve("airports.csv"),
        """
        iata,name,city,state,country,latitude,longitude
        A0,a,a,XX,USA,1,2
        A1,b,b,XX,USA,1,2
        A2,c,c,YY,USA,1,2
        A3,d,d,YY,USA,1,2
        A4,e,e,ZZ,USA,1,2
        """);
  }

  /** All but those that take long; they have tests of their own. */
  static Stream<String> titles() {
    return Workloads.all().stream()
        .map(Workload::title)
        .filter(title -> !Set.of("mlprep", "trajectory", "tpch").contains(title));
  }

  @ParameterizedTest
  @MethodSource("titles")
  void resultHasTheNumberThatIsExpectedAndDoesNotDependOnTheNumberOfReduces(String title)
      throws Exception {
    Workload workload = Workloads.of(title);
    Size size = small(workload);
    Digest one = run(workload, size, false);
    Digest other = run(workload, size.withReduces(5), false);
    assertThat(one.records()).isEqualTo(workload.expected(size).orElse(other.records()));
    assertThat(one.records()).isPositive();
    assertThat(other.sum()).isEqualTo(one.sum());
    assertThat(!workload.sorted() || one.sorted()).isTrue();
  }

  @Test
  void flightsOfAirportsThatAreNotListedAreLeftOutAndAllOthersWritten() throws Exception {
    Workload workload = Workloads.of("mlprep");
    long listed = 3_000 / 7 * 5L + 4;
    Digest one = run(workload, workload.size().withReduces(3), false);
    assertThat(one.records()).isEqualTo(listed);
    assertThat(run(workload, workload.size().withReduces(2), false)).isEqualTo(one);
  }

  @Test
  void trajectoryGivesItsValues() throws Exception {
    Workload workload = Workloads.of("trajectory");
    workload.provide(folder, workload.size());
    assertThat(run(workload, new Size(2, 3, 1_372), false).records()).isGreaterThan(1_000);
  }

  @Test
  void queriesOfTpchGiveAllTheirRows() throws Exception {
    Size size = new Size(1, 3, 6_000);
    TpchQueries.generate(session, TpchAll.folder(folder, size), TpchAll.scale(size), 1);
    Workload some = new TpchAll(List.of(1, 4, 13));
    Digest one = run(some, size, false);
    assertThat(run(some, size.withReduces(2), false)).isEqualTo(one);
    Digest first = run(new TpchAll(List.of(1)), size, false);
    assertThat(first.records()).as("pairs of flags that query 1 groups by").isEqualTo(4);
    assertThat(one.records()).as("five priorities of query 4, too").isGreaterThan(4 + 5);
  }

  private static Size small(Workload workload) {
    return workload.title().equals("tiny") ? new Size(2, 2, 300) : new Size(4, 3, 1_000);
  }

  private static Digest run(Workload workload, Size size, boolean allBytes) throws IOException {
    Path scratch = Files.createTempDirectory(folder, "output-");
    return workload.run(new WorkContext(session, context, size, allBytes, folder, scratch)).get();
  }
}
