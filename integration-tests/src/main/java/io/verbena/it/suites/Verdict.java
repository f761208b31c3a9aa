package io.verbena.it.suites;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/** Compares what happened with what is expected, in both directions. */
final class Verdict {
  private Verdict() {}

  /**
   * One line for each case that did not end as expected; empty when all is right.
   *
   * @param asked names of the cases that were to run; empty: all
   */
  static List<String> problems(
      List<TestCase> cases, List<ExpectedFailure> expected, List<String> asked) {
    List<String> problems = new ArrayList<>();
    Set<String> names = new TreeSet<>();
    expected.forEach(entry -> names.add(entry.name()));
    if (!asked.isEmpty()) {
      names.retainAll(asked);
    }
    for (TestCase one : cases) {
      boolean listed = names.contains(one.name());
      boolean failed = one.outcome() == TestCase.Outcome.FAILED;
      if (failed && !listed) {
        problems.add("\"%s\" failed: %s".formatted(one.name(), one.message()));
      } else if (listed && !failed) {
        problems.add(
            "\"%s\" %s, but is listed as failing: take it off the list"
                .formatted(
                    one.name(),
                    one.outcome() == TestCase.Outcome.PASSED ? "passed" : "was skipped"));
      }
    }
    cases.forEach(one -> names.remove(one.name()));
    names.forEach(
        name -> problems.add("\"%s\" is listed, but there is no such case".formatted(name)));
    Set<String> absent = new TreeSet<>(asked);
    cases.forEach(one -> absent.remove(one.name()));
    absent.removeAll(names);
    absent.forEach(
        name -> problems.add("\"%s\" was to run, but there is no such case".formatted(name)));
    return problems;
  }
}
