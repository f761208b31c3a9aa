package io.verbena.spark;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.verbena.conf.InvalidConfException;
import org.apache.spark.SparkConf;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RefusedSettingsTest {
  private static SparkConf conf(String... pairs) {
    SparkConf conf = new SparkConf(false);
    for (int i = 0; i < pairs.length; i += 2) {
      conf.set(pairs[i], pairs[i + 1]);
    }
    return conf;
  }

  @ParameterizedTest
  @CsvSource({
    "spark.shuffle.push.enabled, true, set it to false",
    "spark.shuffle.service.enabled, true, spark.dynamicAllocation.shuffleTracking.enabled=true",
    "spark.shuffle.useOldFetchProtocol, TRUE, attempts of a task collide",
    "spark.storage.decommission.fallbackStorage.path, hdfs://backup, unset it"
  })
  void whatCannotBeServedIsRefusedWithReasonAndRemedy(String key, String value, String remedy) {
    assertThatThrownBy(() -> new RdmaShuffleManager(conf(key, value), true))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(key + "=" + value + ": ")
        .hasMessageContaining(remedy)
        .hasMessageContaining("spark.shuffle.manager=sort");
  }

  @Test
  void allRefusedSettingsAreToldAtOnce() {
    SparkConf conf =
        conf("spark.shuffle.push.enabled", "true", "spark.shuffle.service.enabled", "true");

    assertThatThrownBy(() -> RefusedSettings.check(conf))
        .hasMessageContaining("spark.shuffle.push.enabled=true")
        .hasMessageContaining("spark.shuffle.service.enabled=true");
  }

  @Test
  void settingsThatAreOffAreFine() {
    SparkConf conf =
        conf(
            "spark.shuffle.push.enabled", "false",
            "spark.shuffle.service.enabled", "false",
            "spark.shuffle.useOldFetchProtocol", "false");

    assertThatCode(() -> new RdmaShuffleManager(conf, true)).doesNotThrowAnyException();
  }

  @Test
  void aWrongOptionStopsTheManagerWithKeyAndValue() {
    SparkConf conf = conf("spark.shuffle.rdma.compress", "sometimes");

    assertThatThrownBy(() -> new RdmaShuffleManager(conf, false))
        .isInstanceOf(InvalidConfException.class)
        .hasMessageContaining("spark.shuffle.rdma.compress=sometimes");
  }
}
