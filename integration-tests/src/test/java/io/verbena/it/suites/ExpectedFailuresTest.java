package io.verbena.it.suites;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class ExpectedFailuresTest {
  private static final Set<String> SUITES = Set.of("RDDSuite", "JoinSuite");

  private static List<ExpectedFailure> parse(String text) {
    return ExpectedFailures.parse("list.txt", text.lines().toList(), SUITES);
  }

  @Test
  void entriesMayHaveCommentsColonsAndVersions() {
    assertThat(
            parse(
                """
                # about all

                suite:  RDDSuite
                case:   SPARK-1: a case: with colons
                with:   Verbena
                # about this
                reason: Reads a file.


                suite:  JoinSuite
                case:   other
                with:   Verbena and Spark
                on:     4.1.2, 4.2.0
                reason: No file is there.
                """))
        .containsExactly(
            new ExpectedFailure(
                "RDDSuite", "SPARK-1: a case: with colons", false, Set.of(), "Reads a file."),
            new ExpectedFailure(
                "JoinSuite", "other", true, Set.of("4.1.2", "4.2.0"), "No file is there."));
  }

  @Test
  void nothingIsAnEmptyList() {
    assertThat(parse("# none\n\n")).isEmpty();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          suite: RDDSuite;case: a;with: Verbena              | 3 | no "reason"
          suite: RDDSuite;reason: a;with: Verbena            | 3 | no "case"
          suite: Other;case: a;with: Verbena;reason: b       | 4 | no such suite: Other
          suite: RDDSuite;case: a;with: Spark;reason: b      | 4 | with: Spark; it is "Verbena" or
          suite: RDDSuite;case: a;case: b                    | 3 | a second "case" in one entry
          suite: RDDSuite;why: b                             | 2 | not KEY: VALUE with a key of
          suite: RDDSuite;case:                              | 2 | not KEY: VALUE with a key of
          suite: RDDSuite;text                               | 2 | not KEY: VALUE with a key of
          """)
  void whatIsWrongIsNamedWithItsLine(String lines, int number, String message) {
    assertThatThrownBy(() -> parse(lines.replace(';', '\n')))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("list.txt, line " + number + ": ")
        .hasMessageContaining(message);
  }

  @Test
  void secondEntryForACaseIsRefused() {
    String entry = "suite: RDDSuite\ncase: a\nwith: Verbena\nreason: b\n";
    assertThatThrownBy(() -> parse(entry + "\n" + entry))
        .hasMessageContaining("line 9: a second entry for RDDSuite: a");
  }

  @Test
  void theListOfTheProjectCanBeRead() throws Exception {
    assertThat(
            ExpectedFailures.read(
                Path.of("spark-suites", "expected-failures.txt"), Group.suiteNames()))
        .isNotEmpty();
  }

  @Test
  void entryHoldsForItsSuiteVersionsAndManagers() {
    Suite suite = Suite.of("org.apache.spark.RDDSuite");
    ExpectedFailure ours = new ExpectedFailure("RDDSuite", "a", false, Set.of("4.1.2"), "b");
    ExpectedFailure both = new ExpectedFailure("RDDSuite", "a", true, Set.of(), "b");
    assertThat(ours.holdsFor(suite, "4.1.2", false)).isTrue();
    assertThat(ours.holdsFor(suite, "4.1.2", true)).isFalse();
    assertThat(ours.holdsFor(suite, "4.2.0", false)).isFalse();
    assertThat(ours.holdsFor(suite.called("Other"), "4.1.2", false)).isFalse();
    assertThat(both.holdsFor(suite, "4.2.0", false)).isTrue();
    assertThat(both.holdsFor(suite, "4.2.0", true)).isTrue();
  }
}
