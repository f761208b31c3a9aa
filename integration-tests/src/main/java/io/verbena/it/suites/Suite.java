package io.verbena.it.suites;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * A test class of Spark's, or a subclass in {@code spark-suites/java}.
 *
 * @param name what it is called on the command line and in the list of failures
 * @param className the class that is run
 * @param isJunit whether JUnit runs it, and not ScalaTest
 * @param shortCases the cases of its short form; empty: all
 * @param conf options of Spark that Verbena runs it with
 */
public record Suite(
    String name,
    String className,
    boolean isJunit,
    List<String> shortCases,
    Map<String, String> conf) {

  static Suite of(String className) {
    return new Suite(simpleName(className), className, false, List.of(), Map.of());
  }

  static Suite ofJunit(String className) {
    return new Suite(simpleName(className), className, true, List.of(), Map.of());
  }

  private static String simpleName(String className) {
    return className.substring(className.lastIndexOf('.') + 1);
  }

  /** The same under the name of the class of Spark's that it extends. */
  Suite called(String other) {
    return new Suite(other, className, isJunit, shortCases, conf);
  }

  /** The same with a short form of these cases. */
  Suite inShort(String... cases) {
    return new Suite(name, className, isJunit, List.of(cases), conf);
  }

  /** The same with an option of Spark for Verbena. */
  Suite with(String key, String value) {
    return new Suite(name, className, isJunit, shortCases, Map.of(key, value));
  }

  /**
   * The main class that runs it, and its arguments.
   *
   * @param cases names of the cases that are run; empty: all
   */
  List<String> main(String reports, List<String> cases) {
    return isJunit ? junit(reports, cases) : scalaTest(reports, cases);
  }

  private List<String> junit(String reports, List<String> cases) {
    List<String> main =
        new ArrayList<>(
            List.of(
                "org.junit.platform.console.ConsoleLauncher",
                "execute",
                "--disable-banner",
                "--details=tree",
                "--disable-ansi-colors",
                "--include-classname=.*",
                "--reports-dir=" + reports));
    if (cases.isEmpty()) {
      main.add("--select-class=" + className);
    }
    cases.forEach(
        one -> main.add("--select-method=" + className + "#" + one.replaceAll("\\(.*", "")));
    return main;
  }

  private List<String> scalaTest(String reports, List<String> cases) {
    List<String> main =
        new ArrayList<>(
            List.of("org.scalatest.tools.Runner", "-oW", "-u", reports, "-s", className));
    for (String one : cases) {
      main.addAll(List.of("-t", one));
    }
    return main;
  }

  @Override
  public String toString() {
    return name;
  }
}
