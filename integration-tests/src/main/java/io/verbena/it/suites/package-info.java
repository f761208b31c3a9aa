/**
 * Runs Spark's own published tests with this project's shuffle manager in place of Spark's. What
 * lives here knows how these tests are run and judged; Spark's test classes are seen by the JVMs
 * that it starts alone, never by the build.
 */
package io.verbena.it.suites;
