package io.verbena.fetch;

import java.io.IOException;

/** A READ did not complete in time. */
final class ReadTimeoutException extends IOException {
  private static final long serialVersionUID = 1L;

  ReadTimeoutException(long millis) {
    super("no answer to a READ within " + millis + " ms");
  }
}
