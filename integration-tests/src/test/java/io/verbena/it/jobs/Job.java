package io.verbena.it.jobs;

import java.io.Serializable;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.apache.spark.HashPartitioner;
import org.apache.spark.TaskContext;
import org.apache.spark.api.java.JavaPairRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.api.java.function.MapFunction;
import org.apache.spark.api.java.function.MapPartitionsFunction;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Encoders;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.functions;
import scala.Tuple2;

/** Jobs with a shuffle, one for each way in which Spark uses a shuffle manager. */
public enum Job {
  /** Records to their partitions, as they are. */
  PARTITION_BY {
    @Override
    Outcome run(SparkSession session, Load load) {
      return sum(
          pairs(session, load)
              .partitionBy(load.partitioner())
              .mapPartitions(records -> text(digestAll(records, load.partitioner(), false)))
              .collect());
    }

    @Override
    public Outcome expected(Load load) {
      return everyRecord(load);
    }
  },

  /** Records to their partitions, sorted there. */
  SORT {
    @Override
    Outcome run(SparkSession session, Load load) {
      return sum(
          pairs(session, load)
              .repartitionAndSortWithinPartitions(load.partitioner())
              .mapPartitions(records -> text(digestAll(records, load.partitioner(), true)))
              .collect());
    }

    @Override
    public Outcome expected(Load load) {
      return everyRecord(load);
    }
  },

  /** All records of a key together. */
  GROUP_BY_KEY {
    @Override
    Outcome run(SparkSession session, Load load) {
      return sum(
          pairs(session, load)
              .groupByKey(load.partitioner())
              .mapPartitions(
                  groups -> text(digests(groups, each -> Records.digest(each._1(), sumOf(each)))))
              .collect());
    }

    @Override
    public Outcome expected(Load load) {
      return sumPerKey(load);
    }
  },

  /** Combined on the map side. */
  REDUCE_BY_KEY {
    @Override
    Outcome run(SparkSession session, Load load) {
      return sum(
          pairs(session, load)
              .mapToPair(each -> new Tuple2<>(each._1(), Records.digest(each._1(), each._2())))
              .reduceByKey(load.partitioner(), Long::sum)
              .mapPartitions(
                  sums -> text(digests(sums, each -> Records.digest(each._1(), each._2()))))
              .collect());
    }

    @Override
    public Outcome expected(Load load) {
      return sumPerKey(load);
    }
  },

  /** SQL rows to their partitions. */
  SQL_REPARTITION {
    @Override
    Outcome run(SparkSession session, Load load) {
      return digestRows(
          rows(session, load).repartition(load.reduces(), functions.col("k")), Job::digestRow);
    }

    @Override
    public Outcome expected(Load load) {
      return everyRecord(load);
    }
  },

  /** SQL rows aggregated by key. */
  SQL_AGGREGATE {
    @Override
    Outcome run(SparkSession session, Load load) {
      Dataset<Row> sums =
          rows(session, load)
              .groupBy("k")
              .agg(
                  functions.count("*").as("n"),
                  functions.sum(functions.length(functions.col("v"))).as("bytes"));
      return digestRows(
          sums,
          row -> Records.digest(row.getLong(0), Records.digest(row.getLong(1), row.getLong(2))));
    }

    @Override
    public Outcome expected(Load load) {
      Map<Long, long[]> byKey = new HashMap<>();
      for (long i = 0; i < load.records(); i++) {
        long[] figures = byKey.computeIfAbsent(Records.key(i, load.keys()), key -> new long[2]);
        figures[0]++;
        figures[1] += Records.value(i).length;
      }
      Outcome outcome = Outcome.NOTHING;
      for (Map.Entry<Long, long[]> each : byKey.entrySet()) {
        outcome =
            outcome.plus(
                Records.digest(
                    each.getKey(), Records.digest(each.getValue()[0], each.getValue()[1])));
      }
      return outcome;
    }
  },

  /** SQL rows joined with a row for each even key. */
  SQL_JOIN {
    @Override
    Outcome run(SparkSession session, Load load) {
      Dataset<Row> even =
          session.range(0, load.keys(), 2, load.maps()).withColumnRenamed("id", "even");
      Dataset<Row> rows = rows(session, load);
      return digestRows(
          rows.join(even.hint("shuffle_hash"), rows.col("k").equalTo(even.col("even")))
              .select("k", "v"),
          Job::digestRow);
    }

    @Override
    public Outcome expected(Load load) {
      Outcome outcome = Outcome.NOTHING;
      for (long i = 0; i < load.records(); i++) {
        long key = Records.key(i, load.keys());
        if (key % 2 == 0) {
          outcome = outcome.plus(Records.digest(key, Records.value(i)));
        }
      }
      return outcome;
    }
  };

  abstract Outcome run(SparkSession session, Load load);

  /** What it must give, computed without Spark. */
  public abstract Outcome expected(Load load);

  private static JavaPairRDD<Long, byte[]> pairs(SparkSession session, Load load) {
    return records(JavaSparkContext.fromSparkContext(session.sparkContext()), load);
  }

  static JavaPairRDD<Long, byte[]> records(JavaSparkContext context, Load load) {
    List<Integer> parts = IntStream.range(0, load.maps()).boxed().toList();
    return context
        .parallelize(parts, load.maps())
        .flatMapToPair(part -> Records.part(part, load.maps(), load.records(), load.keys()));
  }

  private static Dataset<Row> rows(SparkSession session, Load load) {
    int keys = load.keys();
    return session
        .range(0, load.records(), 1, load.maps())
        .map(
            (MapFunction<Long, Tuple2<Long, byte[]>>)
                i -> new Tuple2<>(Records.key(i, keys), Records.value(i)),
            Encoders.tuple(Encoders.LONG(), Encoders.BINARY()))
        .toDF("k", "v");
  }

  private static Outcome digestRows(Dataset<Row> rows, Digest<Row> digest) {
    return sum(
        rows.mapPartitions(
                (MapPartitionsFunction<Row, String>) each -> text(digests(each, digest)),
                Encoders.STRING())
            .collectAsList());
  }

  private static long digestRow(Row row) {
    return Records.digest(row.getLong(0), row.<byte[]>getAs(1));
  }

  /** Gives an item's digest, on executors. */
  @FunctionalInterface
  private interface Digest<T> extends Serializable {
    long of(T item);
  }

  private static <T> Outcome digests(Iterator<T> items, Digest<T> digest) {
    Outcome outcome = Outcome.NOTHING;
    while (items.hasNext()) {
      outcome = outcome.plus(digest.of(items.next()));
    }
    return outcome;
  }

  /** Results travel as text: every serializer can write that. */
  static Iterator<String> text(Outcome outcome) {
    return List.of(outcome.count() + " " + outcome.sum()).iterator();
  }

  static Outcome sum(List<String> outcomes) {
    Outcome sum = Outcome.NOTHING;
    for (String each : outcomes) {
      String[] fields = each.split(" ", 2);
      sum = sum.plus(new Outcome(Long.parseLong(fields[0]), Long.parseLong(fields[1])));
    }
    return sum;
  }

  /** Digests a partition; fails when a record does not belong there, or is out of order. */
  private static Outcome digestAll(
      Iterator<Tuple2<Long, byte[]>> records, HashPartitioner partitioner, boolean sorted) {
    Outcome outcome = Outcome.NOTHING;
    long last = Long.MIN_VALUE;
    while (records.hasNext()) {
      Tuple2<Long, byte[]> record = records.next();
      if (partitioner.getPartition(record._1()) != TaskContext.getPartitionId()) {
        throw new IllegalStateException(
            "key %d came to partition %d".formatted(record._1(), TaskContext.getPartitionId()));
      }
      if (sorted && record._1() < last) {
        throw new IllegalStateException(
            "key %d came after %d in partition %d"
                .formatted(record._1(), last, TaskContext.getPartitionId()));
      }
      last = record._1();
      outcome = outcome.plus(Records.digest(record._1(), record._2()));
    }
    return outcome;
  }

  private static long sumOf(Tuple2<Long, Iterable<byte[]>> group) {
    long sum = 0;
    for (byte[] value : group._2()) {
      sum += Records.digest(group._1(), value);
    }
    return sum;
  }

  private static Outcome everyRecord(Load load) {
    Outcome outcome = Outcome.NOTHING;
    for (long i = 0; i < load.records(); i++) {
      outcome = outcome.plus(Records.digest(Records.key(i, load.keys()), Records.value(i)));
    }
    return outcome;
  }

  private static Outcome sumPerKey(Load load) {
    Map<Long, Long> sums = new HashMap<>();
    for (long i = 0; i < load.records(); i++) {
      long key = Records.key(i, load.keys());
      sums.merge(key, Records.digest(key, Records.value(i)), Long::sum);
    }
    Outcome outcome = Outcome.NOTHING;
    for (Map.Entry<Long, Long> each : sums.entrySet()) {
      outcome = outcome.plus(Records.digest(each.getKey(), each.getValue()));
    }
    return outcome;
  }

  /**
   * How much a job does.
   *
   * @param records number of records
   * @param keys number of keys
   * @param maps number of map tasks
   * @param reduces number of reduce tasks
   */
  public record Load(long records, int keys, int maps, int reduces) implements Serializable {
    /** 40,000 records of about 90 bytes, from 4 map tasks to 6 reduce tasks. */
    public static final Load SMALL = new Load(40_000, 1_000, 4, 6);

    HashPartitioner partitioner() {
      return new HashPartitioner(reduces);
    }

    /** Parses what {@link #toString} gives. */
    static Load parse(String text) {
      String[] fields = text.split(",", 4);
      return new Load(
          Long.parseLong(fields[0]),
          Integer.parseInt(fields[1]),
          Integer.parseInt(fields[2]),
          Integer.parseInt(fields[3]));
    }

    @Override
    public String toString() {
      return records + "," + keys + "," + maps + "," + reduces;
    }
  }
}
