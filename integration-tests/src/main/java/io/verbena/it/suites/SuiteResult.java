package io.verbena.it.suites;

import java.util.List;

/**
 * What came out of a suite.
 *
 * @param suite which
 * @param spark on which version of Spark
 * @param cases what its report says; empty when there is none
 * @param problems one line for each thing that was not as expected
 * @param seconds from start to end of its JVM
 */
public record SuiteResult(
    Suite suite, String spark, List<TestCase> cases, List<String> problems, double seconds) {

  long count(TestCase.Outcome outcome) {
    return cases.stream().filter(one -> one.outcome() == outcome).count();
  }

  /** For people: numbers and time. */
  @Override
  public String toString() {
    return "%s on %s: %d passed, %d failed, %d skipped, %.0f s"
        .formatted(
            suite,
            spark,
            count(TestCase.Outcome.PASSED),
            count(TestCase.Outcome.FAILED),
            count(TestCase.Outcome.SKIPPED),
            seconds);
  }
}
