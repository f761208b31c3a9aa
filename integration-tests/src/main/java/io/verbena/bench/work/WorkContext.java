package io.verbena.bench.work;

import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;
import org.apache.spark.api.java.JavaPairRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.sql.SparkSession;

/**
 * What a workload runs in.
 *
 * @param session the application's
 * @param spark its context
 * @param size how large this run is
 * @param allBytes whether to look at every byte of the result rather than at one of each record
 * @param data folder with what {@link Workload#provide} has put there
 * @param scratch an existing folder for output; emptied after the run
 */
public record WorkContext(
    SparkSession session,
    JavaSparkContext spark,
    Size size,
    boolean allBytes,
    Path data,
    Path scratch) {

  /** Records made on the way in map tasks. */
  JavaPairRDD<Long, byte[]> records(Records.Keys keys) {
    List<Integer> maps = IntStream.range(0, size.maps()).boxed().toList();
    return spark
        .parallelize(maps, size.maps())
        .mapPartitionsToPair(new Records(size.perMap(), keys));
  }

  /** The digest of an RDD of records. */
  Digest digest(JavaPairRDD<Long, byte[]> records) {
    Digests.OfPairs digests = new Digests.OfPairs(allBytes);
    return Digests.total(records.mapPartitions(digests).collect());
  }
}
