package io.verbena.suites;

import org.apache.spark.ContextCleanerSuite;

/** Spark's {@code ContextCleanerSuite}, which sets Spark's own manager, on the configured one. */
public final class ConfiguredContextCleanerSuite extends ContextCleanerSuite {
  private static final long serialVersionUID = 1L;
  private static final String KEY = "spark.shuffle.manager";

  /** Called by ScalaTest. */
  public ConfiguredContextCleanerSuite() {
    conf().set(KEY, System.getProperty(KEY));
  }

  /** What its cases on executors of their own set. Spark takes short names only where it reads the option. */
  @Override
  public Class<?> shuffleManager() {
    String name = System.getProperty(KEY);
    try {
      return name.contains(".") ? Class.forName(name) : super.shuffleManager();
    } catch (ClassNotFoundException e) {
      throw new IllegalStateException(KEY + "=" + name + ": no such class", e);
    }
  }
}
