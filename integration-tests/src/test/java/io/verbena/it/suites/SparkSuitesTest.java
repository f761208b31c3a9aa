package io.verbena.it.suites;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbena.it.suites.TestCase.Outcome;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;

final class SparkSuitesTest {
  @Test
  void tableHasARowForEachSuite() {
    Suite suite = Suite.of("org.apache.spark.rdd.RDDSuite");
    List<TestCase> cases =
        List.of(
            new TestCase("a", Outcome.PASSED, ""),
            new TestCase("b", Outcome.PASSED, ""),
            new TestCase("c", Outcome.FAILED, "d"));
    assertThat(
            SparkSuites.draw(
                List.of(
                    new SuiteResult(suite, "4.1.2", cases, List.of("\"c\" failed: d"), 61.4),
                    new SuiteResult(suite, "4.2.0", List.of(), List.of(), 5.6))))
        .isEqualTo(
            """
            | Spark | suite    | passed | failed | skipped | problems | seconds |
            | ----- | -------- | ------ | ------ | ------- | -------- | ------- |
            | 4.1.2 | RDDSuite | 2      | 1      | 0       | 1        | 61      |
            | 4.2.0 | RDDSuite | 0      | 0      | 0       | 0        | 6       |\
            """);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          --spark 3.5.8                     | no such version: 3.5.8; there are: 4.1.2, 4.2.0
          --group all                       | no such group: all; there are: core, migration, sql
          --suite RDDSuites                 | no such suite: RDDSuites; there are: ShuffleSuite, Pair
          --group sql --suite RDDSuite      | no suite is left: RDDSuite is in none of the groups sql
          --conf spark.shuffle.manager=sort | --conf spark.shuffle.manager: --own or its absence sets
          """)
  void wrongUseIsNamedAndEndsWithCode64(String arguments, String message) {
    StringWriter errors = new StringWriter();
    CommandLine line = SparkSuites.commandLine().setErr(new PrintWriter(errors));
    assertThat(line.execute(arguments.split(" "))).isEqualTo(64);
    assertThat(errors.toString()).startsWith(message);
  }

  @Test
  void namesOfSuitesAreUnique() {
    assertThat(Group.all().map(Suite::name)).doesNotHaveDuplicates();
  }
}
