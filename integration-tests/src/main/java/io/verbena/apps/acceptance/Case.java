package io.verbena.apps.acceptance;

import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.sql.SparkSession;

/**
 * One use of a shuffle.
 *
 * @param name unique among all cases
 * @param body runs it; what it returns is the same for every shuffle manager and setting
 */
record Case(String name, Body body) {
  /** Runs a case on the driver and returns its result as text. */
  @FunctionalInterface
  interface Body {
    String run(SparkSession session, JavaSparkContext context) throws Exception;
  }
}
