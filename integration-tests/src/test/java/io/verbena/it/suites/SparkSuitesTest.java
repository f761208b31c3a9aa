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
          --case x                          | --case needs the one --suite that the case is in
          --suite RDDSuite --jobs 0         | --jobs 0: at least 1
          --conf spark.shuffle.manager=sort | --conf spark.shuffle.manager: --own or its absence sets
          """)
  void wrongUseIsNamedAndEndsWithCode64(String arguments, String message) {
    StringWriter errors = new StringWriter();
    CommandLine line = SparkSuites.commandLine().setErr(new PrintWriter(errors));
    assertThat(line.execute(arguments.split(" "))).isEqualTo(64);
    assertThat(errors.toString()).startsWith(message);
  }

  @Test
  void sumIsOfAllSuites() {
    SuiteResult one =
        new SuiteResult(
            Suite.of("RDDSuite"),
            "4.1.2",
            List.of(
                new TestCase("a", Outcome.PASSED, ""),
                new TestCase("b", Outcome.SKIPPED, ""),
                new TestCase("c", Outcome.FAILED, "d")),
            List.of("\"c\" failed: d"),
            1);
    assertThat(SparkSuites.sum(List.of(one, one)))
        .isEqualTo("Spark's own tests: 2 passed, 2 failed, 2 skipped, 2 not as expected");
  }

  @Test
  void casesAreHandedToScalaTestAndJunit() {
    assertThat(Suite.of("a.RDDSuite").main("reports", List.of("sorts, twice", "joins")))
        .endsWith("-s", "a.RDDSuite", "-t", "sorts, twice", "-t", "joins");
    assertThat(Suite.ofJunit("a.JavaSuite").main("reports", List.of("sorts()")))
        .contains("--select-method=a.JavaSuite#sorts")
        .doesNotContain("--select-class=a.JavaSuite");
  }

  @Test
  void namesOfSuitesAreUnique() {
    assertThat(Group.all().map(Suite::name)).doesNotHaveDuplicates();
  }
}
