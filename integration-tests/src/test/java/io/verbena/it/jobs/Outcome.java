package io.verbena.it.jobs;

/**
 * What a job has seen, whatever the order: how many items, and the sum of their digests.
 *
 * @param count number of items
 * @param sum sum of their digests, modulo 2^64
 */
public record Outcome(long count, long sum) {
  /** No items. */
  public static final Outcome NOTHING = new Outcome(0, 0);

  /** This and one more item. */
  public Outcome plus(long digest) {
    return new Outcome(count + 1, sum + digest);
  }

  /** Both together. */
  public Outcome plus(Outcome other) {
    return new Outcome(count + other.count, sum + other.sum);
  }

  @Override
  public String toString() {
    return "count=" + count + " sum=" + Long.toHexString(sum);
  }
}
