package io.verbena.it.suites;

import java.util.List;

/**
 * A test class of Spark's, or a subclass in {@code spark-suites/java}.
 *
 * @param name what it is called on the command line and in the list of failures
 * @param className the class that is run
 * @param isJunit whether JUnit runs it, and not ScalaTest
 */
public record Suite(String name, String className, boolean isJunit) {

  static Suite of(String className) {
    return new Suite(simpleName(className), className, false);
  }

  static Suite ofJunit(String className) {
    return new Suite(simpleName(className), className, true);
  }

  private static String simpleName(String className) {
    return className.substring(className.lastIndexOf('.') + 1);
  }

  /** The same under the name of the class of Spark's that it extends. */
  Suite called(String other) {
    return new Suite(other, className, isJunit);
  }

  /** The main class that runs it, and its arguments. */
  List<String> main(String reports) {
    return isJunit
        ? List.of(
            "org.junit.platform.console.ConsoleLauncher",
            "execute",
            "--disable-banner",
            "--details=tree",
            "--disable-ansi-colors",
            "--include-classname=.*",
            "--select-class=" + className,
            "--reports-dir=" + reports)
        : List.of("org.scalatest.tools.Runner", "-oW", "-u", reports, "-s", className);
  }

  @Override
  public String toString() {
    return name;
  }
}
