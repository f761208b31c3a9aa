package io.verbena.bench.work;

/** {@code partitionBy}: a shuffle and nothing else. */
final class Partition extends PairWorkload {
  Partition() {
    super("partition", "partitionBy of 4 million records of 100 bytes", new Size(8, 64, 4_000_000));
  }
}
