package io.verbena.spark;

import org.apache.spark.SparkConf;

/** Memory that a resource manager grants an executor beside its heap. */
final class MemoryHint {
  private static final String OVERHEAD = "spark.executor.memoryOverhead";
  private static final String FACTOR = "spark.executor.memoryOverheadFactor";
  private static final String MINIMUM = "spark.executor.minMemoryOverhead";

  private MemoryHint() {}

  /** Bytes; 0 where nobody grants any, as with standalone clusters and local mode. */
  static long bytes(SparkConf conf) {
    String master = conf.get("spark.master", "");
    if (!master.startsWith("yarn") && !master.startsWith("k8s")) {
      return 0;
    }
    if (conf.contains(OVERHEAD)) {
      return mebibytes(conf.getSizeAsMb(OVERHEAD));
    }
    long heap = mebibytes(conf.getSizeAsMb("spark.executor.memory", "1g"));
    long least = mebibytes(conf.getSizeAsMb(MINIMUM, "384m"));
    return Math.max(least, (long) (heap * conf.getDouble(FACTOR, 0.1)));
  }

  private static long mebibytes(long count) {
    return count << 20;
  }
}
