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

  /** Adaptive plans follow sizes of map outputs, and cases want plans as with Spark's own. */
  private static final String COMPRESS = "spark.shuffle.rdma.compress";

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
              // The others shuffle nothing; some give executors a second to get somewhere.
              Suite.of("org.apache.spark.JobCancellationSuite")
                  .inShort(
                      "two jobs sharing the same stage",
                      "interruptible iterator of shuffle reader"),
              Suite.of("io.verbena.suites.ConfiguredContextCleanerSuite")
                  .called("ContextCleanerSuite"),
              Suite.of("org.apache.spark.serializer.KryoSerializerDistributedSuite"),
              Suite.ofJunit("test.org.apache.spark.JavaAPISuite"),
              // Most of its time goes to a cluster for each level at which RDDs are cached.
              Suite.of("org.apache.spark.DistributedSuite")
                  .inShort(
                      "simple groupByKey",
                      "groupByKey where map output sizes exceed maxMbInFlight",
                      "repeatedly failing task that crashes JVM",
                      "recover from node failures",
                      "recover from repeated node failures during shuffle-map",
                      "recover from repeated node failures during shuffle-reduce",
                      "recover from node failures with replication"));
      case MIGRATION ->
          List.of(
              Suite.of("org.apache.spark.scheduler.WorkerDecommissionSuite"),
              Suite.of("org.apache.spark.scheduler.WorkerDecommissionExtendedSuite"),
              Suite.of("org.apache.spark.storage.BlockManagerDecommissionIntegrationSuite"));
      case SQL ->
          Stream.of(
                  "org.apache.spark.sql.execution.ExchangeSuite",
                  "org.apache.spark.sql.execution.CoalesceShufflePartitionsSuite",
                  "org.apache.spark.sql.execution.adaptive.AdaptiveQueryExecSuite",
                  "org.apache.spark.sql.DataFrameSuite",
                  "org.apache.spark.sql.JoinSuite",
                  "org.apache.spark.sql.DataFrameAggregateSuite")
              .map(className -> Suite.of(className).with(COMPRESS, "always"))
              .toList();
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
