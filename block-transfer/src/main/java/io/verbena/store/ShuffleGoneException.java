package io.verbena.store;

import java.io.IOException;

/** The shuffle has been removed: nobody will read what was about to be published. */
public final class ShuffleGoneException extends IOException {
  private static final long serialVersionUID = 1L;

  /** The message says which shuffle, and who says so. */
  public ShuffleGoneException(String message) {
    super(message);
  }
}
