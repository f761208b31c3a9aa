package io.verbena.ping;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.verbena.conf.RdmaConf;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PingSettingsTest {
  private static PingSettings settings(int size, int depth, long time, long limit) {
    return new PingSettings(
        new HostPort("node7", 9),
        RdmaConf.read(Map.of()),
        new byte[] {42},
        "1.2.3",
        List.of(size),
        depth,
        Duration.ofMillis(time),
        Duration.ofMillis(limit));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          0        | 1   | 1     | 1     | size is 0: from 1 to 16777216 is allowed
          16777217 | 1   | 1     | 1     | size is 16777217: from 1 to 16777216 is allowed
          1        | 0   | 1     | 1     | depth is 0: from 1 to 256 is allowed
          1        | 257 | 1     | 1     | depth is 257: from 1 to 256 is allowed
          16777216 | 17  | 1     | 1     | size times depth is 285212672: from 1 to 268435456 is allowed
          1        | 1   | 0     | 1     | milliseconds of a measurement is 0: from 1 to 30000 is allowed
          1        | 1   | 30001 | 1     | milliseconds of a measurement is 30001: from 1 to 30000 is allowed
          1        | 1   | 1     | 0     | milliseconds of a wait is 0: from 1 to 30000 is allowed
          1        | 1   | 1     | 30001 | milliseconds of a wait is 30001: from 1 to 30000 is allowed
          """)
  void whatMakesNoSenseIsRefusedWithTheLimit(
      int size, int depth, long time, long limit, String message) {
    assertThatThrownBy(() -> settings(size, depth, time, limit))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(message);
  }

  @Test
  void largestValuesAreAllowedAndTheSecretIsNotShown() {
    assertThat(settings(PingSettings.MAX_SIZE, 16, 30_000, 30_000).toString())
        .isEqualTo("PingSettings[target=node7:9, sizes=[16777216], depth=16]");
  }
}
