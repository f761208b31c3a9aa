package io.verbena.conf;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ExecutorMemoryTest {
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
    Map<String, String> conf = new HashMap<>();
    conf.put("spark.master", master);
    conf.put("spark.executor.memory", heap);
    if (overhead != null) {
      conf.put("spark.executor.memoryOverhead", overhead);
    }
    if (factor != null) {
      conf.put("spark.executor.memoryOverheadFactor", factor);
    }

    assertThat(ExecutorMemory.read(conf).overhead()).isEqualTo(expected << 20);
  }

  @Test
  void heapWithoutAUnitCountsMebibytesAsSparkDoes() {
    assertThat(ExecutorMemory.read(Map.of("spark.executor.memory", "2048")).heap())
        .isEqualTo(2L << 30);
    assertThat(ExecutorMemory.read(Map.of()).heap()).isEqualTo(1L << 30);
  }

  @Test
  void allThatSparkWouldNotTakeIsToldTogether() {
    assertThatThrownBy(
            () ->
                ExecutorMemory.read(
                    Map.of(
                        "spark.executor.memory", "1.5g",
                        "spark.executor.memoryOverheadFactor", "much")))
        .isInstanceOf(InvalidConfException.class)
        .hasMessageContaining("spark.executor.memory=1.5g: a size cannot have a fraction")
        .hasMessageContaining("spark.executor.memoryOverheadFactor=much: not a number");
  }
}
