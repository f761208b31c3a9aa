package io.verbena.apps.acceptance;

import java.util.ArrayList;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.Random;
import java.util.stream.LongStream;
import org.apache.spark.HashPartitioner;
import org.apache.spark.SparkEnv;
import org.apache.spark.TaskContext;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.api.java.function.MapPartitionsFunction;
import org.apache.spark.shuffle.FetchFailedException;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Encoders;
import org.apache.spark.sql.SparkSession;
import scala.Tuple2;

/**
 * Map outputs that get lost when some of their readers have read them already. Records come in
 * another order each time that they are computed, and {@code repartition} deals them out by order:
 * unless all of it is computed again, some are there twice and others not at all.
 */
final class FaultCases {
  private static final long RECORDS = 20_000;
  private static final int DEALT = 6;

  private FaultCases() {}

  static List<Case> all() {
    return List.of(
        new Case(
            "repartition in random order, map outputs reported lost",
            (session, context) -> distinct(reshuffled(failing(dealt(context), false)))),
        new Case(
            "SQL repartition in random order, map outputs reported lost",
            (session, context) -> distinct(reshuffled(session, failing(dealt(session), false)))),
        new Case(
            "repartition in random order, executor lost",
            (session, context) -> distinct(reshuffled(failing(dealt(context), true)))),
        // The last, as it leaves one executor fewer.
        Decommissioning.movedMapOutputs());
  }

  private static JavaRDD<Long> dealt(JavaSparkContext context) {
    List<Long> all = LongStream.range(0, RECORDS).boxed().toList();
    return context
        .parallelize(all, 4)
        .mapToPair(i -> new Tuple2<>(i, i))
        .partitionBy(new HashPartitioner(4))
        .values()
        .mapPartitions(FaultCases::inRandomOrder)
        .repartition(DEALT);
  }

  private static JavaRDD<Long> dealt(SparkSession session) {
    session.sql("set spark.sql.adaptive.enabled=false");
    // Spark sorts otherwise, so that the order is the same each time.
    session.sql("set spark.sql.execution.sortBeforeRepartition=false");
    // Where there are checksums of rows, Spark shall rely on them: the default from 4.2 on.
    session.sql("set spark.sql.shuffle.orderIndependentChecksum.enabled=true");
    session.sql("set spark.sql.shuffle.orderIndependentChecksum.enableFullRetryOnMismatch=true");
    Dataset<Long> all = session.range(0, RECORDS, 1, 4).as(Encoders.LONG());
    return all.repartition(4, all.col("id"))
        .mapPartitions(
            (MapPartitionsFunction<Long, Long>) FaultCases::inRandomOrder, Encoders.LONG())
        .repartition(DEALT)
        .toJavaRDD();
  }

  private static Iterator<Long> inRandomOrder(Iterator<Long> records) {
    List<Long> all = new ArrayList<>();
    records.forEachRemaining(all::add);
    Collections.shuffle(all, new Random(TaskContext.get().taskAttemptId() * 7919));
    return all.iterator();
  }

  /** What was dealt out, read by tasks of which one says that map outputs are lost. */
  private static JavaRDD<Long> failing(JavaRDD<Long> dealt, boolean killing)
      throws ReflectiveOperationException {
    int shuffleId = Inside.shuffleId(dealt.rdd());
    return dealt.mapPartitions(
        records -> {
          fail(shuffleId, killing);
          return records;
        });
  }

  /** The stage that reads what was dealt out is a map stage itself: Spark can roll it back. */
  private static List<Long> reshuffled(JavaRDD<Long> records) {
    return records
        .mapToPair(i -> new Tuple2<>(i, 1))
        .partitionBy(new HashPartitioner(3))
        .keys()
        .collect();
  }

  /**
   * The same by SQL. With checksums of rows this map stage is not rolled back because of what it
   * reads, as one of RDDs is, but because those checksums have changed.
   */
  private static List<Long> reshuffled(SparkSession session, JavaRDD<Long> records) {
    Dataset<Long> read = session.createDataset(records.rdd(), Encoders.LONG());
    return read.repartition(3, read.col("value")).collectAsList();
  }

  private static String distinct(List<Long> read) {
    long distinct = read.stream().distinct().count();
    if (distinct != RECORDS || read.size() != RECORDS) {
      throw new IllegalStateException(
          "%d records, of them %d distinct; both must be %d"
              .formatted(read.size(), distinct, RECORDS));
    }
    return "all records, each once";
  }

  /** In the last task, when others have ended, of the first attempt of its stage. */
  private static void fail(int shuffleId, boolean killing) throws FetchFailedException {
    TaskContext task = TaskContext.get();
    if (task.partitionId() != DEALT - 1
        || task.stageAttemptNumber() > 0
        || task.attemptNumber() > 0) {
      return;
    }
    if (killing) {
      Runtime.getRuntime().halt(1);
    }
    throw new FetchFailedException(
        SparkEnv.get().blockManager().shuffleServerId(),
        shuffleId,
        0L,
        0,
        task.partitionId(),
        "a test says so",
        null);
  }
}
