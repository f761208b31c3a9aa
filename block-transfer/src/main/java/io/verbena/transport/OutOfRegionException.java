package io.verbena.transport;

import java.io.IOException;

/**
 * A READ names bytes that the peer's region does not have: the entry that it was made from is
 * wrong. The connection is as good as before.
 */
public final class OutOfRegionException extends IOException {
  private static final long serialVersionUID = 1L;

  public OutOfRegionException(String message) {
    super(message);
  }
}
