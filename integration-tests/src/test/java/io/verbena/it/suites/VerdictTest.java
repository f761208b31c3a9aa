package io.verbena.it.suites;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbena.it.suites.TestCase.Outcome;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

final class VerdictTest {
  private static TestCase ended(Outcome outcome) {
    return new TestCase("sorts", outcome, outcome == Outcome.FAILED ? "1 is not 2" : "");
  }

  private static final List<ExpectedFailure> LISTED =
      List.of(new ExpectedFailure("RDDSuite", "sorts", false, Set.of(), "why"));

  @Test
  void allIsRightWhenOnlyListedCasesFail() {
    assertThat(Verdict.problems(List.of(ended(Outcome.FAILED)), LISTED, List.of())).isEmpty();
    assertThat(Verdict.problems(List.of(ended(Outcome.PASSED)), List.of(), List.of())).isEmpty();
    assertThat(Verdict.problems(List.of(ended(Outcome.SKIPPED)), List.of(), List.of())).isEmpty();
  }

  @Test
  void failureThatIsNotListedIsAProblem() {
    assertThat(Verdict.problems(List.of(ended(Outcome.FAILED)), List.of(), List.of()))
        .containsExactly("\"sorts\" failed: 1 is not 2");
  }

  @Test
  void listedCaseThatPassesOrIsSkippedIsAProblem() {
    assertThat(Verdict.problems(List.of(ended(Outcome.PASSED)), LISTED, List.of()))
        .containsExactly("\"sorts\" passed, but is listed as failing: take it off the list");
    assertThat(Verdict.problems(List.of(ended(Outcome.SKIPPED)), LISTED, List.of()))
        .containsExactly("\"sorts\" was skipped, but is listed as failing: take it off the list");
  }

  @Test
  void listedCaseThatIsNotThereIsAProblem() {
    TestCase other = new TestCase("joins", Outcome.PASSED, "");
    assertThat(Verdict.problems(List.of(other), LISTED, List.of()))
        .containsExactly("\"sorts\" is listed, but there is no such case");
  }

  @Test
  void listedCaseThatWasNotToRunIsNone() {
    TestCase other = new TestCase("joins", Outcome.PASSED, "");
    assertThat(Verdict.problems(List.of(other), LISTED, List.of("joins"))).isEmpty();
  }

  @Test
  void caseThatWasToRunAndIsNotThereIsAProblem() {
    assertThat(Verdict.problems(List.of(ended(Outcome.FAILED)), LISTED, List.of("sorts", "jions")))
        .containsExactly("\"jions\" was to run, but there is no such case");
    assertThat(Verdict.problems(List.of(), LISTED, List.of("sorts")))
        .containsExactly("\"sorts\" is listed, but there is no such case");
  }
}
