package io.verbena.it;

import static io.verbena.it.Submitted.app;
import static io.verbena.it.Submitted.falls;
import static io.verbena.it.Submitted.readBytes;
import static io.verbena.it.Submitted.report;
import static io.verbena.it.Submitted.sum;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.verbena.it.cluster.AppResult;
import io.verbena.it.cluster.AppSpec;
import io.verbena.it.cluster.ClusterSpec;
import io.verbena.it.cluster.SparkHomes;
import io.verbena.it.cluster.StandaloneCluster;
import io.verbena.it.demo.ShuffleReport;
import io.verbena.it.libraries.Clusters;
import io.verbena.it.libraries.EventCounts;
import io.verbena.it.libraries.Events;
import io.verbena.it.libraries.Libraries;
import io.verbena.it.libraries.Ranks;
import io.verbena.it.libraries.Ratings;
import io.verbena.it.libraries.Scale;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Structured Streaming, MLlib and GraphX on a cluster: our results, and Spark's own. */
final class LibrariesIT {
  private static final List<String> PARTS = List.of("stream", "als", "kmeans", "pagerank");
  private static final Duration LIMIT = Duration.ofMinutes(3);

  /**
   * ALS sums in the order in which blocks come, in doubles, and rounds each factor to a float. What
   * was in another order may so be rounded to the neighbour, 6e-8 away.
   */
  private static final double ROUNDING = 1e-5;

  @TempDir static Path folder;

  private static StandaloneCluster cluster;
  private static Runs brief;

  /** Lines of the same application, by part and kind. */
  private record Runs(
      Scale scale, AppResult result, Map<String, String> own, Map<String, String> ours) {

    /** Texts of a kind, or of those that begin so and have a number. */
    private List<String> own(String kind) {
      return texts(own, kind);
    }

    private List<String> ours(String kind) {
      return texts(ours, kind);
    }

    private static List<String> texts(Map<String, String> lines, String kind) {
      return lines.entrySet().stream()
          .filter(line -> line.getKey().matches(kind + "( \\d+)?"))
          .map(Map.Entry::getValue)
          .toList();
    }
  }

  @BeforeAll
  static void start() throws Exception {
    // The one version whose home has the libraries.
    ClusterSpec spec = ClusterSpec.builder().home(SparkHomes.provide("4.2.0", "2.13")).build();
    cluster = StandaloneCluster.start(spec);
    brief = run(Scale.BRIEF);
  }

  @AfterAll
  static void stop() {
    cluster.close();
  }

  private static Runs run(Scale scale) throws Exception {
    AppResult own =
        cluster.submit(libraries(scale, "own").conf("spark.shuffle.manager", "sort").build());
    AppResult ours =
        cluster.submit(
            libraries(scale, "verbena")
                .onVerbena()
                .conf("spark.shuffle.rdma.pool.regionSize", "16m")
                .build());
    return new Runs(scale, ours, lines(own), lines(ours));
  }

  private static AppSpec.Builder libraries(Scale scale, String name) throws Exception {
    Path own = Files.createDirectories(folder.resolve(scale + "-" + name));
    return app(Libraries.class).args(scale.name(), own.toString()).limit(Duration.ofMinutes(10));
  }

  private static Map<String, String> lines(AppResult result) {
    Map<String, String> lines = new LinkedHashMap<>();
    result
        .orThrow()
        .stdout()
        .lines()
        .map(line -> line.split("\t", 3))
        .forEach(line -> lines.put(line[0] + " " + line[1], line[2]));
    return lines;
  }

  @Test
  void eachBatchOfAStreamCountsRightAndSoDoesOneThatIsComputedAgain() {
    assertStream(brief);
  }

  @Test
  void factorsAreThoseOfSparksOwnShuffleAndSolveTheirEquations() {
    assertFactors(brief);
  }

  @Test
  void clustersAreThoseOfSparksOwnShuffleToTheLastBit() {
    assertClusters(brief);
  }

  @Test
  void ranksAreThoseOfALoopToTheLastBit() {
    assertRanks(brief);
  }

  @Test
  void allPartsShuffleAndNothingStaysInThePools() throws InterruptedException {
    assertShuffles(brief);
  }

  @Test
  @OnDemand
  void allOfItHoldsForTwoHundredBatchesAndLargerInputs() throws Exception {
    Runs full = run(Scale.FULL);
    assertStream(full);
    assertFactors(full);
    assertClusters(full);
    assertRanks(full);
    assertShuffles(full);
  }

  private static void assertStream(Runs runs) {
    List<String> expected = Events.expected(runs.scale());
    assertThat(expected).hasSize(runs.scale().batches());
    assertThat(runs.own("stream batch")).as("Spark's own shuffle").isEqualTo(expected);
    assertThat(runs.ours("stream batch")).isEqualTo(expected);
    assertThat(runs.ours("stream lost batch")).hasSize(1).isEqualTo(runs.own("stream lost batch"));

    List<Long> pool = runs.ours("stream held").stream().map(Long::valueOf).toList();
    assertThat(pool).hasSize(runs.scale().batches() / EventCounts.LOOK);
    // One batch's shuffle is there, on one executor or on both. A leak has one more for each batch.
    assertThat(pool).allSatisfy(bytes -> assertThat(bytes).isBetween(1L, 2 * pool.get(0) - 1));
  }

  private static void assertFactors(Runs runs) {
    for (String kind : List.of("als user", "als item")) {
      List<String> own = runs.own(kind);
      List<String> ours = runs.ours(kind);
      assertThat(ours).as(kind).hasSameSizeAs(own).hasSizeGreaterThan(50);
      double most = 0;
      for (int i = 0; i < own.size(); i++) {
        double[] expected = numbers(own.get(i));
        double[] factor = numbers(ours.get(i));
        for (int j = 0; j < factor.length; j++) {
          most = Math.max(most, Math.abs(factor[j] - expected[j]) / norm(expected));
        }
      }
      assertThat(most).as("greatest difference of an %s", kind).isLessThan(ROUNDING);
    }
    assertSolved(runs);
  }

  /** Users come last, so each must solve the equations of those whom it has rated. */
  private static void assertSolved(Runs runs) {
    List<double[]> users = runs.ours("als user").stream().map(LibrariesIT::numbers).toList();
    List<double[]> items = runs.ours("als item").stream().map(LibrariesIT::numbers).toList();
    double[][] residuals = new double[users.size()][Ratings.RANK];
    double[] scales = new double[users.size()];
    for (Ratings.Rating rating : Ratings.all(runs.scale())) {
      double[] user = users.get(rating.getUser());
      double[] item = items.get(rating.getItem());
      double error = -rating.getStars();
      for (int i = 0; i < Ratings.RANK; i++) {
        error += user[i] * item[i];
      }
      for (int i = 0; i < Ratings.RANK; i++) {
        residuals[rating.getUser()][i] += error * item[i] + Ratings.REGULARIZATION * user[i];
      }
      scales[rating.getUser()] += rating.getStars() * norm(item);
    }
    for (int user = 0; user < residuals.length; user++) {
      assertThat(norm(residuals[user]) / scales[user])
          .as("residual of user %d", user)
          .isCloseTo(0, within(ROUNDING));
    }
  }

  private static double[] numbers(String text) {
    return Arrays.stream(text.split(" ", -1)).mapToDouble(Double::parseDouble).toArray();
  }

  private static double norm(double[] vector) {
    return Math.sqrt(Arrays.stream(vector).map(x -> x * x).sum());
  }

  private static void assertClusters(Runs runs) {
    assertThat(runs.ours("kmeans center")).hasSize(Clusters.CLUSTERS);
    assertThat(runs.ours("kmeans center")).isEqualTo(runs.own("kmeans center"));
    assertThat(runs.ours("kmeans assigned")).isEqualTo(runs.own("kmeans assigned"));
    // It went on until nothing changed: each center is the mean of what is nearest to it.
    assertThat(runs.ours("kmeans center"))
        .isEqualTo(Clusters.means(runs.scale(), runs.ours("kmeans assigned").get(0)));
  }

  private static void assertRanks(Runs runs) {
    String expected = Ranks.expected(runs.scale());
    assertThat(runs.own("pagerank ranks")).containsExactly(expected);
    assertThat(runs.ours("pagerank ranks")).containsExactly(expected);
  }

  private static void assertShuffles(Runs runs) throws InterruptedException {
    for (String part : PARTS) {
      assertThat(runs.ours(part + " records")).as(part).isEqualTo(runs.own(part + " records"));
      assertThat(runs.ours(part + " pool")).as(part).containsExactly("0 0");
      assertThat(runs.ours(part + " bytes"))
          .as("blocks of the other executor, %s", part)
          .singleElement()
          .asString()
          .containsPattern("remote blocks [1-9]");
    }
    ShuffleReport report = report(runs.result());
    assertThat(report.executors())
        .hasSize(2)
        .allSatisfy(executor -> assertThat(executor.poolBytes()).isZero())
        .allSatisfy(executor -> assertThat(executor.runsOnDisk()).isZero());
    assertThat(sum(report, ShuffleReport.Executor::runsInPool)).isPositive();
    assertThat(readBytes(report, "shm")).isPositive();
    assertThat(falls(report)).isEmpty();
    PoolFiles.awaitNoneOfOurs(cluster.workerLocalDir(0), LIMIT);
    PoolFiles.awaitNoneOfOurs(cluster.workerLocalDir(1), LIMIT);
  }
}
