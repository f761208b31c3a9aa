package io.verbena.bench;

import java.util.Map;

/** Sides of the job benchmark: this shuffle and its opponents. */
enum JobSide {
  /** This shuffle, switched on as users do it. */
  VERBENA("Verbena"),
  /** Spark's own, by default: files of a neighbour on the same host are opened. */
  SPARK("Spark default"),
  /** Spark's own over its block transfer service, as between hosts. */
  SPARK_NETWORK("Spark network"),
  /** Spark's own with {@code spark.local.dir} in memory. */
  SPARK_TMPFS("Spark on tmpfs");

  private final String title;

  JobSide(String title) {
    this.title = title;
  }

  String title() {
    return title;
  }

  /** Spark options of this side alone. */
  Map<String, String> conf() {
    return this == SPARK_NETWORK ? Map.of("spark.shuffle.readHostLocalDisk", "false") : Map.of();
  }
}
