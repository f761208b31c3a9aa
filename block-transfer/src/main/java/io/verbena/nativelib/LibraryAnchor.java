package io.verbena.nativelib;

/**
 * Loads a library for the class loader that defines this class: a {@link DisniClassLoader}, which
 * defines one of its own. Public since they are in different run-time packages.
 */
public final class LibraryAnchor {
  private LibraryAnchor() {}

  /** As {@link System#load}. */
  public static void load(String path) {
    System.load(path);
  }
}
