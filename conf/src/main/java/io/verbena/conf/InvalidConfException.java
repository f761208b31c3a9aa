package io.verbena.conf;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/**
 * A configuration that the shuffle cannot run with. The message has one line per problem, all that
 * were found: {@code key=value}, what is wrong, what is allowed, what to do.
 */
public final class InvalidConfException extends IllegalArgumentException {
  private static final long serialVersionUID = 1L;

  private final ArrayList<Problem> problems;

  InvalidConfException(List<Problem> problems) {
    super(message(problems));
    this.problems = new ArrayList<>(problems);
  }

  /** All that is wrong. */
  public List<Problem> problems() {
    return List.copyOf(problems);
  }

  private static String message(List<Problem> problems) {
    String head =
        problems.size() == 1
            ? "1 problem in the configuration of the RDMA shuffle:"
            : problems.size() + " problems in the configuration of the RDMA shuffle:";
    return problems.stream()
        .map(problem -> "\n  " + problem)
        .collect(Collectors.joining("", head, ""));
  }
}
