package io.verbena.bench;

/** Loads of the job benchmark. */
enum JobLoad {
  /** {@code partitionBy} of records with a key of 8 bytes and a value of 92. */
  PARTITION("partition", 4_000_000),
  /** {@code repartitionAndSortWithinPartitions} of the same. */
  SORT("sort", 4_000_000),
  /** Hash repartition of rows of three columns, by SQL. */
  SQL_REPARTITION("sql-repartition", 12_000_000);

  /** Map tasks. */
  static final int MAPS = 8;

  private final String title;
  private final long records;

  JobLoad(String title, long records) {
    this.title = title;
    this.records = records;
  }

  String title() {
    return title;
  }

  long records() {
    return records;
  }
}
