package io.verbena.suites;

import org.apache.spark.ShuffleSuite;

/**
 * Spark's {@code ShuffleSuite} on the manager that is the JVM's default. Spark runs it by
 * subclasses that set its own manager.
 */
public final class ConcreteShuffleSuite extends ShuffleSuite {
  private static final long serialVersionUID = 1L;
}
