package io.verbena.bench.work;

/** Numbers that look random and are the same in every process. */
public final class Mix {
  private Mix() {}

  /** SplitMix64's finalizer. */
  public static long mix(long value) {
    long z = value;
    z = (z ^ (z >>> 30)) * 0xbf58476d1ce4e5b9L;
    z = (z ^ (z >>> 27)) * 0x94d049bb133111ebL;
    return z ^ (z >>> 31);
  }
}
