package io.verbena.apps.acceptance;

import java.util.List;
import java.util.stream.IntStream;
import org.apache.spark.HashPartitioner;
import org.apache.spark.api.java.JavaPairRDD;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.JavaSparkContext;
import scala.Tuple2;

/** Sizes at which implementations meet limits. They take minutes, and heaps of 3 GiB. */
final class LargeCases {
  private static final int HUGE_RECORD = 300 << 20;
  private static final int RECORD = 1 << 20;
  private static final int RECORDS_OF_A_HUGE_BLOCK = 2_200;

  private LargeCases() {}

  static List<Case> all() {
    return List.of(
        new Case("a record of 300 MiB", (session, context) -> hugeRecord(context)),
        new Case("a block larger than 2 GiB", (session, context) -> hugeBlock(context)),
        new Case("1 map, 16,000 reduces", (session, context) -> grid(context, 1, 16_000)),
        new Case("3,000 maps, 3 reduces", (session, context) -> grid(context, 3_000, 3)));
  }

  private static String hugeRecord(JavaSparkContext context) {
    return Digest.of(
        context
            .parallelize(List.of(1, 2), 2)
            .mapToPair(i -> new Tuple2<>(i, RddCases.noise(i, i == 1 ? HUGE_RECORD : 10)))
            .partitionBy(new HashPartitioner(3))
            .map(each -> each._1() + " " + Digest.bytes(each._2())));
  }

  /** Two reduces, so that one of them is on another executor than the map. */
  private static String hugeBlock(JavaSparkContext context) {
    JavaRDD<Integer> one = context.parallelize(List.of(0), 1);
    JavaPairRDD<Integer, byte[]> records =
        one.flatMapToPair(
            zero ->
                IntStream.range(0, 2 * RECORDS_OF_A_HUGE_BLOCK)
                    .mapToObj(i -> new Tuple2<>(i, RddCases.noise(i, RECORD)))
                    .iterator());
    return Digest.of(
        records
            .partitionBy(new HashPartitioner(2))
            .map(each -> each._1() + " " + Digest.bytes(each._2())));
  }

  private static String grid(JavaSparkContext context, int maps, int reduces) {
    return Digest.of(
        RddCases.numbers(context, 64_000, maps)
            .mapToPair(i -> new Tuple2<>(i * 31, "value " + i))
            .partitionBy(new HashPartitioner(reduces))
            .map(pair -> pair.toString()));
  }
}
