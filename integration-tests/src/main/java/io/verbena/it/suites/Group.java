package io.verbena.it.suites;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Suites that are run together. */
public enum Group {
  /** RDDs, failures and cleaning up: what every shuffle has to get right. */
  CORE,

  /** Blocks that move when an executor is decommissioned. */
  MIGRATION,

  /** Exchanges of Spark SQL, with and without adaptive execution. */
  SQL;

  /** In the order in which they are run. */
  public List<Suite> suites() {
    return switch (this) {
      case CORE ->
          List.of(
              Suite.of("io.verbena.suites.ConcreteShuffleSuite").called("ShuffleSuite"),
              Suite.of("org.apache.spark.rdd.PairRDDFunctionsSuite"),
              Suite.of("org.apache.spark.rdd.RDDSuite"),
              Suite.of("org.apache.spark.rdd.SortingSuite"),
              Suite.of("org.apache.spark.PartitioningSuite"),
              Suite.of("org.apache.spark.FailureSuite"),
              Suite.of("org.apache.spark.JobCancellationSuite"),
              Suite.of("io.verbena.suites.ConfiguredContextCleanerSuite")
                  .called("ContextCleanerSuite"),
              Suite.of("org.apache.spark.serializer.KryoSerializerDistributedSuite"),
              Suite.ofJunit("test.org.apache.spark.JavaAPISuite"),
              Suite.of("org.apache.spark.DistributedSuite"));
      case MIGRATION ->
          List.of(
              Suite.of("org.apache.spark.scheduler.WorkerDecommissionSuite"),
              Suite.of("org.apache.spark.scheduler.WorkerDecommissionExtendedSuite"),
              Suite.of("org.apache.spark.storage.BlockManagerDecommissionIntegrationSuite"));
      case SQL ->
          List.of(
              Suite.of("org.apache.spark.sql.execution.ExchangeSuite"),
              Suite.of("org.apache.spark.sql.execution.CoalesceShufflePartitionsSuite"),
              Suite.of("org.apache.spark.sql.execution.adaptive.AdaptiveQueryExecSuite"),
              Suite.of("org.apache.spark.sql.DataFrameSuite"),
              Suite.of("org.apache.spark.sql.JoinSuite"),
              Suite.of("org.apache.spark.sql.DataFrameAggregateSuite"));
    };
  }

  /** The suites of all groups. */
  static Stream<Suite> all() {
    return Arrays.stream(values()).flatMap(group -> group.suites().stream());
  }

  static Set<String> suiteNames() {
    return all().map(Suite::name).collect(Collectors.toSet());
  }

  /** As it is written on the command line. */
  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
