package io.verbena.bench;

/** A benchmark cannot go on: a process failed, or a side delivered wrong bytes. */
final class BenchException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  BenchException(String message) {
    super(message);
  }
}
