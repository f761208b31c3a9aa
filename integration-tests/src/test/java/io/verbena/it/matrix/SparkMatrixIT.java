package io.verbena.it.matrix;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.verbena.it.cluster.JavaHome;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

/** The one jar on a cluster of every supported version of Spark, Scala and Java. */
final class SparkMatrixIT {
  static final List<Target> TARGETS = Target.ALL;

  @ParameterizedTest
  @FieldSource("TARGETS")
  void resultsAreThoseOfSparksOwnShuffleAndNeighboursAreReadThroughTheirMemory(Target target)
      throws Exception {
    Optional<JavaHome> java = JavaHome.find(target.java());
    assumeThat(java).as("Java %d in JAVA_HOME or %s", target.java(), JavaHome.folder()).isPresent();
    List<Row> rows =
        new MatrixRun(true, Set.of(), Map.of()).run(target, java.orElseThrow(), row -> {});
    assertThat(rows)
        .hasSize(target.findsManagerInJars() ? 2 : 1)
        .allSatisfy(
            row -> {
              assertThat(row.problems()).as("%s, by %s", target, row.loading()).isEmpty();
              assertThat(row.passed()).isPositive();
              assertThat(row.transports()).isEqualTo(Set.of("shm"));
            });
  }
}
