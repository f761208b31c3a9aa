package io.verbena.spark;

import org.apache.spark.SparkConf;
import org.apache.spark.TaskContext;
import org.apache.spark.io.CompressionCodec$;
import org.apache.spark.serializer.Serializer;
import org.apache.spark.shuffle.sort.SortShuffleManager;

/**
 * When Spark's own shuffle fetches neighbouring blocks of a map output as one, and counts them as
 * one in its metrics. Here any neighbours are read together; the figure is kept comparable.
 */
final class BatchFetch {
  private BatchFetch() {}

  /** Whether blocks of a range of partitions count so. */
  static boolean applies(
      SparkConf conf,
      Serializer serializer,
      int startPartition,
      int endPartition,
      TaskContext context) {
    return SortShuffleManager.canUseBatchFetch(startPartition, endPartition, context)
        && canJoinBlocks(conf, serializer.supportsRelocationOfSerializedObjects());
  }

  /** Whether the bytes of two blocks are those of a block with the records of both. */
  static boolean canJoinBlocks(SparkConf conf, boolean relocatable) {
    return relocatable
        && !conf.getBoolean("spark.io.encryption.enabled", false)
        && (!conf.getBoolean("spark.shuffle.compress", true)
            || CompressionCodec$.MODULE$.supportsConcatenationOfSerializedStreams(
                CompressionCodec$.MODULE$.createCodec(conf)));
  }
}
