package io.verbena.table;

import java.io.IOException;

/** What a peer's location table holds contradicts its layout; the message says what and where. */
public final class CorruptTableException extends IOException {
  private static final long serialVersionUID = 1L;

  public CorruptTableException(String message) {
    super(message);
  }
}
