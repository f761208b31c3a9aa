package io.verbena.it.suites;

import java.util.Set;

/**
 * A case of which it is known that it fails, and why.
 *
 * @param suite the suite's name on the command line
 * @param name the case's name in the report
 * @param withSparkToo whether it fails with Spark's own manager too
 * @param versions versions of Spark on which it fails; empty for all
 * @param reason why
 */
record ExpectedFailure(
    String suite, String name, boolean withSparkToo, Set<String> versions, String reason) {

  /** Whether it is expected in this run. */
  boolean holdsFor(Suite run, String spark, boolean own) {
    return suite.equals(run.name())
        && (versions.isEmpty() || versions.contains(spark))
        && (!own || withSparkToo);
  }
}
