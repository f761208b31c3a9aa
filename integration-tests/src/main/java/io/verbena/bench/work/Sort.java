package io.verbena.bench.work;

import org.apache.spark.HashPartitioner;
import org.apache.spark.api.java.JavaPairRDD;

/** {@code repartitionAndSortWithinPartitions}. */
final class Sort extends PairWorkload {
  Sort() {
    super(
        "sort",
        "repartitionAndSortWithinPartitions of the same records",
        new Size(8, 64, 4_000_000));
  }

  @Override
  public boolean sorted() {
    return true;
  }

  @Override
  JavaPairRDD<Long, byte[]> shuffled(JavaPairRDD<Long, byte[]> records, Size of) {
    return records.repartitionAndSortWithinPartitions(new HashPartitioner(of.reduces()));
  }
}
