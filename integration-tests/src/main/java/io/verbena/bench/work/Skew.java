package io.verbena.bench.work;

/** One key has half of the records. */
final class Skew extends PairWorkload {
  Skew() {
    super(
        "skew",
        "partitionBy of 4 million records, half of them with one key",
        new Size(8, 64, 4_000_000));
  }

  @Override
  Records.Keys keys(Size of) {
    return Records.halfOfOneKey();
  }
}
