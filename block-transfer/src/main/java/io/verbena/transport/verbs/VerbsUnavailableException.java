package io.verbena.transport.verbs;

/** The {@code verbs} transport cannot be used on this host; the message says why and what helps. */
public final class VerbsUnavailableException extends Exception {
  private static final long serialVersionUID = 1L;

  public VerbsUnavailableException(String message) {
    super(message);
  }

  public VerbsUnavailableException(String message, Throwable cause) {
    super(message, cause);
  }
}
