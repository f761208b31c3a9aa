package io.verbena.spark;

/** Scala's methods declare no exceptions; Spark's checked ones pass through them all the same. */
final class Sneaky {
  private Sneaky() {}

  /** Throws {@code e} as it is. Declared to return, so that callers can write {@code throw}. */
  static RuntimeException sneakyThrow(Throwable e) {
    return Sneaky.<RuntimeException>raise(e);
  }

  @SuppressWarnings("unchecked")
  private static <E extends Throwable> RuntimeException raise(Throwable e) throws E {
    throw (E) e;
  }
}
