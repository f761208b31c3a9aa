package io.verbena.apps.trajectory;

/** A line is not what the format asks for. Never leaves the reader. */
final class MalformedException extends Exception {
  private static final long serialVersionUID = 1L;

  private final String expected;
  private final String found;

  MalformedException(String expected, String found) {
    super("expected " + expected + ", found " + found);
    this.expected = expected;
    this.found = found;
  }

  String expected() {
    return expected;
  }

  String found() {
    return found;
  }
}
