package io.verbena.spark;

import io.verbena.conf.Problem;
import io.verbena.conf.SparkConflicts;
import java.util.List;
import org.apache.spark.SparkConf;

/**
 * Settings of Spark that this shuffle manager cannot serve. They are refused before the application
 * starts: Spark itself never asks the manager, and some would lose data without an error.
 */
final class RefusedSettings {
  private RefusedSettings() {}

  /**
   * Checks all of them.
   *
   * @throws IllegalArgumentException with a line per refused setting
   */
  static void check(SparkConf conf) {
    List<String> faults =
        SparkConflicts.find(SparkSettings.of(conf)).stream().map(Problem::toString).toList();
    if (!faults.isEmpty()) {
      throw new IllegalArgumentException(
          "The RDMA shuffle cannot run with these settings (or use"
              + " spark.shuffle.manager=sort):\n  "
              + String.join("\n  ", faults));
    }
  }
}
