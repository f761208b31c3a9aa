package io.verbena.fetch;

import java.util.concurrent.atomic.LongAdder;

/**
 * Times counted in fixed buckets, four to a power of two, so that a bucket is at most a quarter
 * wider than its lower bound. Recording allocates nothing and takes no lock.
 *
 * <p>Threads: any.
 */
public final class LatencyHistogram {
  private static final int SPLIT_BITS = 2;
  private static final int SPLIT = 1 << SPLIT_BITS;
  // Two minutes: no READ is waited for longer by default, and what is longer stands in the last.
  private static final int MAX_EXPONENT = 36;

  /** Number of buckets. */
  public static final int BUCKETS = (MAX_EXPONENT - SPLIT_BITS + 2) * SPLIT;

  private final LongAdder[] counts = new LongAdder[BUCKETS];

  LatencyHistogram() {
    for (int i = 0; i < BUCKETS; i++) {
      counts[i] = new LongAdder();
    }
  }

  void record(long nanos) {
    counts[bucket(nanos)].increment();
  }

  static int bucket(long nanos) {
    if (nanos < SPLIT) {
      return (int) Math.max(0, nanos);
    }
    int exponent = Long.SIZE - 1 - Long.numberOfLeadingZeros(nanos);
    if (exponent > MAX_EXPONENT) {
      return BUCKETS - 1;
    }
    int part = (int) (nanos >>> (exponent - SPLIT_BITS)) & (SPLIT - 1);
    return (exponent - SPLIT_BITS + 1) * SPLIT + part;
  }

  /**
   * Least time that a bucket holds, nanoseconds.
   *
   * @param bucket from 0 to {@link #BUCKETS}, whose value is where the last one ends
   */
  public static long lowest(int bucket) {
    if (bucket < SPLIT) {
      return bucket;
    }
    return (long) (SPLIT + bucket % SPLIT) << (bucket / SPLIT - 1);
  }

  /** How many times each bucket has so far; a copy. */
  public long[] counts() {
    long[] copy = new long[BUCKETS];
    for (int i = 0; i < BUCKETS; i++) {
      copy[i] = counts[i].sum();
    }
    return copy;
  }
}
