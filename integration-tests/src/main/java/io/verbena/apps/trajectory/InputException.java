package io.verbena.apps.trajectory;

/** The input cannot be used; the message is for the user and complete. */
final class InputException extends Exception {
  private static final long serialVersionUID = 1L;

  InputException(String message) {
    super(message);
  }
}
