package io.verbena.transport;

import java.io.IOException;

/** A transport cannot reach a peer; the message says why and what would mend it. */
public final class UnreachableException extends IOException {
  private static final long serialVersionUID = 1L;

  public UnreachableException(String message) {
    super(message);
  }

  public UnreachableException(String message, Throwable cause) {
    super(message, cause);
  }
}
