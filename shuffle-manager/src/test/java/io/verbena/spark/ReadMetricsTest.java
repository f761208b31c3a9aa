package io.verbena.spark;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.Proxy;
import java.util.HashMap;
import java.util.Map;
import org.apache.spark.SparkConf;
import org.apache.spark.shuffle.ShuffleReadMetricsReporter;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ReadMetricsTest {
  private final Map<String, Long> counted = new HashMap<>();

  private final ShuffleReadMetricsReporter reporter =
      (ShuffleReadMetricsReporter)
          Proxy.newProxyInstance(
              getClass().getClassLoader(),
              new Class<?>[] {ShuffleReadMetricsReporter.class},
              (proxy, method, arguments) -> {
                counted.merge(method.getName(), (Long) arguments[0], Long::sum);
                return null;
              });

  private void blocksOfTwoMaps(boolean batched) {
    ReadMetrics metrics = new ReadMetrics(reporter, batched);
    metrics.block(7, true);
    metrics.block(7, true);
    metrics.block(8, false);
    metrics.block(7, true);
    metrics.block(8, false);
  }

  @Test
  void everyBlockCounts() {
    blocksOfTwoMaps(false);
    assertThat(counted)
        .containsExactlyInAnyOrderEntriesOf(
            Map.of("incLocalBlocksFetched", 3L, "incRemoteBlocksFetched", 2L));
  }

  @Test
  void blocksOfAMapOutputCountAsOneInABatch() {
    blocksOfTwoMaps(true);
    assertThat(counted)
        .containsExactlyInAnyOrderEntriesOf(
            Map.of("incLocalBlocksFetched", 1L, "incRemoteBlocksFetched", 1L));
  }

  @ParameterizedTest
  @CsvSource({
    "true, true, lz4, false, true",
    "true, true, zstd, false, true",
    "true, false, lz4, true, false",
    "false, true, lz4, false, false",
  })
  void batchesAreMadeWhereSparksOwnShuffleCanJoinBlocks(
      boolean relocatable, boolean compress, String codec, boolean encrypt, boolean joined) {
    SparkConf conf =
        new SparkConf(false)
            .set("spark.shuffle.compress", Boolean.toString(compress))
            .set("spark.io.compression.codec", codec)
            .set("spark.io.encryption.enabled", Boolean.toString(encrypt));
    assertThat(BatchFetch.canJoinBlocks(conf, relocatable)).isEqualTo(joined);
  }
}
