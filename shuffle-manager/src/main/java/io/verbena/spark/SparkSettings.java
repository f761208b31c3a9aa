package io.verbena.spark;

import java.util.HashMap;
import java.util.Map;
import org.apache.spark.SparkConf;

/** Spark's configuration as the configuration's own module reads it. */
final class SparkSettings {
  private SparkSettings() {}

  static Map<String, String> of(SparkConf sparkConf) {
    Map<String, String> all = new HashMap<>();
    for (scala.Tuple2<String, String> entry : sparkConf.getAll()) {
      all.put(entry._1(), entry._2());
    }
    return all;
  }
}
