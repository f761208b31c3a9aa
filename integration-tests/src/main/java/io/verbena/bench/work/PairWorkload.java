package io.verbena.bench.work;

import java.util.function.Supplier;
import org.apache.spark.HashPartitioner;
import org.apache.spark.api.java.JavaPairRDD;

/**
 * A shuffle of an RDD of records with a key of 8 bytes and a value of 92. The digest is computed as
 * records come: so little work that it belongs to the job.
 */
abstract class PairWorkload implements Workload {
  private final String title;
  private final String what;
  private final Size size;

  PairWorkload(String title, String what, Size size) {
    this.title = title;
    this.what = what;
    this.size = size;
  }

  @Override
  public String title() {
    return title;
  }

  @Override
  public String what() {
    return what;
  }

  @Override
  public Size size() {
    return size;
  }

  @Override
  public Supplier<Digest> run(WorkContext context) {
    Digest digest = context.digest(shuffled(context.records(keys(context.size())), context.size()));
    return () -> digest;
  }

  /** Keys of the records; default a key of its own for each. */
  Records.Keys keys(Size of) {
    return Records.distinct();
  }

  /** The shuffle; default {@code partitionBy}. */
  JavaPairRDD<Long, byte[]> shuffled(JavaPairRDD<Long, byte[]> records, Size of) {
    return records.partitionBy(new HashPartitioner(of.reduces()));
  }
}
