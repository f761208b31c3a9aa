package io.verbena.apps.acceptance;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.apache.spark.HashPartitioner;
import org.apache.spark.api.java.JavaPairRDD;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.sql.SparkSession;
import scala.Tuple2;

/** Shuffles of RDDs. Maps and reduces are nowhere of the same number. */
final class RddCases {
  private static final int RECORDS = 20_000;
  private static final int KEYS = 700;
  private static final int MAPS = 3;
  private static final int REDUCES = 5;
  private static final int LARGE_RECORD = 3 << 20;

  private RddCases() {}

  static List<Case> all() {
    return List.of(
        rdd("reduceByKey", c -> pairs(c).reduceByKey(new HashPartitioner(REDUCES), Long::sum)),
        rdd("aggregateByKey", RddCases::aggregated),
        rdd("groupByKey", c -> pairs(c).groupByKey(REDUCES).mapValues(Digest::sorted)),
        rdd("distinct", c -> pairs(c).values().map(v -> v % KEYS).distinct(REDUCES)),
        rdd("groupBy", c -> pairs(c).values().groupBy(v -> v % 10).mapValues(Digest::sorted)),
        rdd("partitionBy", c -> pairs(c).partitionBy(new HashPartitioner(REDUCES))),
        new Case("sortByKey", (session, c) -> inOrder(pairs(c).sortByKey(true, REDUCES))),
        rdd("repartitionAndSortWithinPartitions", RddCases::sortedWithinPartitions),
        rdd("repartition", c -> pairs(c).repartition(REDUCES)),
        rdd("coalesce with shuffle", c -> pairs(c).coalesce(2, true)),
        rdd("cogroup", RddCases::cogrouped),
        rdd("join", c -> pairs(c).join(others(c), REDUCES)),
        rdd("leftOuterJoin", RddCases::outerJoined),
        rdd("subtractByKey", c -> pairs(c).subtractByKey(others(c), REDUCES)),
        rdd("null keys and values", RddCases::nulls),
        rdd("records larger than a page", RddCases::largeRecords),
        rdd("no records", c -> pairs(c).filter(pair -> false).reduceByKey(Long::sum, REDUCES)),
        rdd("no partitions", RddCases::noPartitions),
        rdd("1 map, 60 reduces", c -> pairs(c).coalesce(1).reduceByKey(Long::sum, 60)),
        rdd("40 maps, 3 reduces", c -> pairs(c, 40).groupByKey(3).mapValues(Digest::sorted)),
        new Case("one shuffle read by three jobs", RddCases::readAgain));
  }

  @FunctionalInterface
  private interface Job {
    Object on(JavaSparkContext context);
  }

  /** A case whose records are compared as text. */
  private static Case rdd(String name, Job job) {
    return new Case(name, (session, context) -> digest(job.on(context)));
  }

  private static String digest(Object rdd) {
    return rdd instanceof JavaPairRDD<?, ?> pairs
        ? Digest.of(pairs.map(pair -> pair.toString()))
        : Digest.of(((JavaRDD<?>) rdd).map(Object::toString));
  }

  private static JavaPairRDD<String, Long> pairs(JavaSparkContext context) {
    return pairs(context, MAPS);
  }

  private static JavaPairRDD<String, Long> pairs(JavaSparkContext context, int maps) {
    return numbers(context, RECORDS, maps)
        .mapToPair(i -> new Tuple2<>("key " + (i * 7919L % KEYS), i.longValue()));
  }

  /** Keys of which half are among those of {@link #pairs}. */
  private static JavaPairRDD<String, String> others(JavaSparkContext context) {
    return numbers(context, KEYS, 4)
        .mapToPair(i -> new Tuple2<>("key " + (i + KEYS / 2), "other " + i));
  }

  /** The numbers from 0, dealt out to the maps in turn. */
  static JavaRDD<Integer> numbers(JavaSparkContext context, int count, int maps) {
    List<Integer> parts = IntStream.range(0, maps).boxed().toList();
    return context
        .parallelize(parts, maps)
        .flatMap(part -> IntStream.iterate(part, i -> i < count, i -> i + maps).boxed().iterator());
  }

  private static JavaRDD<String> aggregated(JavaSparkContext context) {
    return pairs(context)
        .aggregateByKey(
            new long[2],
            REDUCES,
            (sums, value) -> new long[] {sums[0] + 1, sums[1] + value},
            (one, other) -> new long[] {one[0] + other[0], one[1] + other[1]})
        .map(each -> each._1() + Arrays.toString(each._2()));
  }

  /** Fails when keys of a partition, or partitions, are not in order. */
  private static String inOrder(JavaPairRDD<String, Long> sorted) {
    List<String> keys = sorted.keys().collect();
    for (int i = 1; i < keys.size(); i++) {
      if (keys.get(i - 1).compareTo(keys.get(i)) > 0) {
        throw new IllegalStateException(keys.get(i - 1) + " came before " + keys.get(i));
      }
    }
    return Digest.of(sorted.map(pair -> pair.toString()));
  }

  private static JavaRDD<String> sortedWithinPartitions(JavaSparkContext context) {
    return pairs(context)
        .repartitionAndSortWithinPartitions(new HashPartitioner(REDUCES))
        .mapPartitions(RddCases::checkedOrder);
  }

  private static Iterator<String> checkedOrder(Iterator<Tuple2<String, Long>> records) {
    List<String> checked = new ArrayList<>();
    String last = "";
    while (records.hasNext()) {
      Tuple2<String, Long> record = records.next();
      if (last.compareTo(record._1()) > 0) {
        throw new IllegalStateException(last + " came before " + record._1());
      }
      last = record._1();
      checked.add(record.toString());
    }
    return checked.iterator();
  }

  private static JavaRDD<String> cogrouped(JavaSparkContext context) {
    return pairs(context)
        .cogroup(others(context), REDUCES)
        .map(
            each ->
                each._1() + Digest.sorted(each._2()._1()) + "/" + Digest.sorted(each._2()._2()));
  }

  private static JavaRDD<String> outerJoined(JavaSparkContext context) {
    return pairs(context)
        .leftOuterJoin(others(context), REDUCES)
        .map(each -> each._1() + each._2()._1() + each._2()._2().orElse("none"));
  }

  private static JavaPairRDD<String, String> nulls(JavaSparkContext context) {
    return numbers(context, 1_000, MAPS)
        .mapToPair(
            i ->
                new Tuple2<>(i % 3 == 0 ? null : "key " + i % 10, i % 7 == 0 ? null : "value " + i))
        .groupByKey(REDUCES)
        .mapValues(Digest::sorted);
  }

  private static JavaRDD<String> largeRecords(JavaSparkContext context) {
    return numbers(context, 6, MAPS)
        .mapToPair(i -> new Tuple2<>(i, noise(i, LARGE_RECORD + i)))
        .partitionBy(new HashPartitioner(REDUCES))
        .map(each -> each._1() + " " + Digest.bytes(each._2()));
  }

  /** Bytes that no codec makes smaller. */
  static byte[] noise(long seed, int length) {
    byte[] bytes = new byte[length];
    new Random(seed).nextBytes(bytes);
    return bytes;
  }

  private static JavaPairRDD<String, Long> noPartitions(JavaSparkContext context) {
    return context
        .<String>emptyRDD()
        .mapToPair(text -> new Tuple2<>(text, 1L))
        .reduceByKey(Long::sum, REDUCES);
  }

  private static String readAgain(SparkSession session, JavaSparkContext context) {
    JavaPairRDD<String, Long> shuffled = pairs(context).partitionBy(new HashPartitioner(REDUCES));
    long count = shuffled.count();
    return count + " " + digest(shuffled) + " " + digest(shuffled.filter(pair -> pair._2() > 9));
  }
}
