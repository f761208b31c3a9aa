package io.verbena.bench.work;

/** So many blocks that each holds two records: what a block costs. */
final class SmallBlocks extends PairWorkload {
  SmallBlocks() {
    super(
        "small-blocks",
        "partitionBy with 2,000 maps by 2,000 reduces, 8 million records",
        new Size(2_000, 2_000, 8_000_000));
  }

  @Override
  public Size quickSize() {
    return new Size(200, 200, 80_000);
  }
}
