package io.verbena.it.matrix;

import java.util.List;

/**
 * What an application runs on.
 *
 * @param spark Spark's version, such as {@code 3.5.8}
 * @param scala Scala's binary version, such as {@code 2.12}
 * @param java Java's feature release, such as 17
 */
public record Target(String spark, String scala, int java) {
  /** Everything that is supported: the newest release of each line. Tests run on all of them. */
  public static final List<Target> ALL =
      List.of(
          new Target("3.5.8", "2.12", 17),
          new Target("3.5.8", "2.13", 17),
          new Target("4.0.2", "2.13", 17),
          new Target("4.1.2", "2.13", 17),
          new Target("4.2.0", "2.13", 17),
          new Target("4.2.0", "2.13", 25));

  /** Whether executors find a shuffle manager that comes through {@code --jars}. */
  public boolean findsManagerInJars() {
    return !isLine3();
  }

  /** Whether this is a Spark 3. */
  public boolean isLine3() {
    return spark.startsWith("3.");
  }

  @Override
  public String toString() {
    return "Spark %s, Scala %s, Java %d".formatted(spark, scala, java);
  }
}
