package io.verbena.bench.work;

import java.util.Map;

/** A shuffle without compression, for data that is compressed already. */
final class Uncompressed extends PairWorkload {
  Uncompressed() {
    super(
        "uncompressed",
        "partitionBy of a million records with spark.shuffle.compress=false",
        new Size(8, 64, 1_000_000));
  }

  @Override
  public Map<String, String> conf() {
    return Map.of("spark.shuffle.compress", "false");
  }
}
