package io.verbena.spark;

import static org.assertj.core.api.Assertions.assertThat;

import org.apache.spark.SparkConf;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class MemoryHintTest {
  @ParameterizedTest
  @CsvSource(
      nullValues = "-",
      value = {
        // master, overhead, factor, heap, expected MiB
        "spark://h:7077, 2g, -, 8g, 0",
        "local[*], -, -, 8g, 0",
        "yarn, 2g, -, 8g, 2048",
        "yarn, -, -, 1g, 384",
        "yarn, -, -, 10g, 1024",
        "k8s://https://h, -, 0.4, 10g, 4096",
        "k8s://https://h, 512, -, 10g, 512",
      })
  void overheadCountsWhereAResourceManagerGrantsIt(
      String master, String overhead, String factor, String heap, long expected) {
    SparkConf conf = new SparkConf(false).set("spark.master", master);
    conf.set("spark.executor.memory", heap);
    if (overhead != null) {
      conf.set("spark.executor.memoryOverhead", overhead);
    }
    if (factor != null) {
      conf.set("spark.executor.memoryOverheadFactor", factor);
    }

    assertThat(MemoryHint.bytes(conf)).isEqualTo(expected << 20);
  }
}
