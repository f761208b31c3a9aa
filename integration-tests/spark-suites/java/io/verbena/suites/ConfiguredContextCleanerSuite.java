package io.verbena.suites;

import org.apache.spark.ContextCleanerSuite;

/** Spark's {@code ContextCleanerSuite}, which sets Spark's own manager, on the configured one. */
public final class ConfiguredContextCleanerSuite extends ContextCleanerSuite {
  private static final long serialVersionUID = 1L;

  /** Called by ScalaTest. */
  public ConfiguredContextCleanerSuite() {
    String key = "spark.shuffle.manager";
    conf().set(key, System.getProperty(key));
  }
}
