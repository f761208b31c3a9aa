package io.verbena.nativelib;

/** A native library cannot be used here; the message says why and what would mend it. */
public final class LibraryUnavailableException extends Exception {
  private static final long serialVersionUID = 1L;

  public LibraryUnavailableException(String message) {
    super(message);
  }
}
