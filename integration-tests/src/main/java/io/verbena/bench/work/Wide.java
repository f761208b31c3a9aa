package io.verbena.bench.work;

/** Few maps, very many reduces. */
final class Wide extends PairWorkload {
  Wide() {
    super(
        "wide",
        "partitionBy with 8 maps by 10,000 reduces, 4 million records",
        new Size(8, 10_000, 4_000_000));
  }

  @Override
  public Size quickSize() {
    return new Size(8, 1_000, 400_000);
  }
}
