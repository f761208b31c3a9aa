package io.verbena.table;

import java.io.IOException;

/** The shuffle was removed on its executor, or its description was an older generation's. */
public final class StaleTableException extends IOException {
  private static final long serialVersionUID = 1L;

  public StaleTableException(String message) {
    super(message);
  }
}
