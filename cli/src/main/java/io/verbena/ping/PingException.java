package io.verbena.ping;

import java.io.IOException;

/** Two hosts cannot be tried: what is wrong, and what mends it. */
public final class PingException extends IOException {
  private static final long serialVersionUID = 1L;

  private final String mend;

  PingException(String message, String mend) {
    super(message);
    this.mend = mend;
  }

  PingException(String message, String mend, Throwable cause) {
    super(message, cause);
    this.mend = mend;
  }

  /** What helps. */
  public String mend() {
    return mend;
  }
}
