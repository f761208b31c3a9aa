package io.verbena.spark;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class WriteModeTest {
  @ParameterizedTest
  @CsvSource({
    // relocatable, map-side combine, partitions, mode
    "true, false, 200, MOVED_BYTES",
    "true, false, 16777216, MOVED_BYTES",
    "true, false, 16777217, SORTED_OBJECTS",
    "false, false, 200, STREAM_PER_PARTITION",
    "false, false, 201, SORTED_OBJECTS",
    "true, true, 200, SORTED_OBJECTS",
    "false, true, 1, SORTED_OBJECTS",
  })
  void objectsAreKeptOnlyWhereNothingElseWorks(
      boolean relocatable, boolean combine, int partitions, WriteMode mode) {
    assertThat(WriteMode.choose(relocatable, combine, partitions, 200)).isEqualTo(mode);
  }
}
