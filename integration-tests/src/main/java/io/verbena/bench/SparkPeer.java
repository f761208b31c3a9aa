package io.verbena.bench;

import org.apache.spark.SparkConf;

/** What both Spark processes of the fetch benchmark have in common. */
final class SparkPeer {
  static final String HOST = "127.0.0.1";

  private SparkPeer() {}

  /** Spark's defaults but for compression, on loopback. */
  static SparkConf conf(String localFolder) {
    return new SparkConf(false)
        .setMaster("local[1]")
        .setAppName("bench fetch")
        .set("spark.driver.bindAddress", HOST)
        .set("spark.driver.host", HOST)
        .set("spark.ui.enabled", "false")
        .set("spark.shuffle.compress", "false")
        .set("spark.local.dir", localFolder);
  }
}
