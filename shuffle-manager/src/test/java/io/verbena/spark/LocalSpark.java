package io.verbena.spark;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.apache.spark.HashPartitioner;
import org.apache.spark.SparkConf;
import org.apache.spark.api.java.JavaPairRDD;
import org.apache.spark.api.java.JavaSparkContext;
import scala.Tuple2;

/** Spark in this process with the RDMA shuffle: driver and executor in one. */
final class LocalSpark {
  private final Map<String, String> settings = new HashMap<>();

  LocalSpark(Path folder) {
    with("spark.shuffle.manager", RdmaShuffleManager.class.getName());
    with("spark.ui.enabled", "false");
    with("spark.driver.bindAddress", "127.0.0.1");
    with("spark.driver.host", "127.0.0.1");
    with("spark.buffer.pageSize", "1m");
    with("spark.kryoserializer.buffer.max", "64m");
    with("spark.local.dir", folder.toString());
    with("spark.shuffle.rdma.pool.regionSize", "16m");
    with("spark.shuffle.rdma.pool.limit", "256m");
  }

  LocalSpark with(String key, String value) {
    settings.put(key, value);
    return this;
  }

  /** The caller stops it. */
  JavaSparkContext start() {
    SparkConf conf = new SparkConf(false).setMaster("local[2]").setAppName("test");
    settings.forEach(conf::set);
    return new JavaSparkContext(conf);
  }

  /** 10,000 records, from 4 maps to 3 partitions. */
  static JavaPairRDD<Integer, String> shuffled(JavaSparkContext context) {
    List<Integer> numbers = new ArrayList<>(IntStream.range(0, 10_000).boxed().toList());
    return context
        .parallelize(numbers, 4)
        .mapToPair(i -> new Tuple2<>(i, "value " + i))
        .partitionBy(new HashPartitioner(3));
  }

  <T> T run(Function<JavaSparkContext, T> job) {
    try (JavaSparkContext context = start()) {
      return job.apply(context);
    }
  }
}
