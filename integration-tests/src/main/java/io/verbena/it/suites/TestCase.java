package io.verbena.it.suites;

/**
 * What a report says of one case.
 *
 * @param name the case's name
 * @param outcome how it ended
 * @param message what went wrong, in one line; empty unless it failed
 */
record TestCase(String name, Outcome outcome, String message) {
  enum Outcome {
    PASSED,
    FAILED,
    /** Ignored, cancelled by an assumption of its own, or pending. */
    SKIPPED
  }
}
