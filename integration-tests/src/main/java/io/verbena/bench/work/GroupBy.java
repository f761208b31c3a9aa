package io.verbena.bench.work;

import java.util.function.Supplier;

/** {@code groupByKey}: every value of a key in one list on the reduce side. */
final class GroupBy extends PairWorkload {
  private static final int VALUES_OF_A_KEY = 8;

  GroupBy() {
    super(
        "groupby", "groupByKey of the same records, 8 values to a key", new Size(8, 64, 4_000_000));
  }

  @Override
  Records.Keys keys(Size of) {
    return Records.grouped(Math.max(1, of.records() / VALUES_OF_A_KEY));
  }

  @Override
  public Supplier<Digest> run(WorkContext context) {
    Size size = context.size();
    Digest digest =
        Digests.total(
            context
                .records(keys(size))
                .groupByKey(size.reduces())
                .mapPartitions(new Digests.OfGroups(context.allBytes()))
                .collect());
    return () -> digest;
  }
}
