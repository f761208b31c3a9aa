package io.verbena.bench.work;

import java.util.function.Supplier;
import org.apache.spark.HashPartitioner;

/** Very many shuffles of next to nothing, one after the other: what a shuffle costs by itself. */
final class Tiny extends PairWorkload {
  private static final int RECORDS = 100;

  Tiny() {
    super(
        "tiny",
        "1,000 shuffles of 100 records, one after the other",
        new Size(2, 2, 1_000L * RECORDS));
  }

  @Override
  public Size quickSize() {
    return size().times(0.03);
  }

  @Override
  public Supplier<Digest> run(WorkContext context) {
    Size all = context.size();
    Size each = new Size(all.maps(), all.reduces(), RECORDS);
    WorkContext one =
        new WorkContext(
            context.session(),
            context.spark(),
            each,
            context.allBytes(),
            context.data(),
            context.scratch());
    long records = 0;
    long sum = 0;
    while (records < all.records()) {
      Digest digest =
          one.digest(
              one.records(Records.distinct()).partitionBy(new HashPartitioner(each.reduces())));
      records += digest.records();
      // A shuffle that lost another's records must not be made good by it.
      sum = Mix.mix(sum + digest.sum());
    }
    Digest total = new Digest(records, sum, true);
    return () -> total;
  }
}
