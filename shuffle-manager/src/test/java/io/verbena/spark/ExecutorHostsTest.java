package io.verbena.spark;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.apache.spark.SparkEnv;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.storage.BlockManagerId;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import scala.Option;

class ExecutorHostsTest {
  @TempDir Path folder;

  @Test
  void theDriverIsNoExecutorOnAHostOfItsOwn() throws Exception {
    try (JavaSparkContext context = new LocalSpark(folder).start()) {
      context.sc().listenerBus().waitUntilEmpty();
      BlockManagerId driver = SparkEnv.get().blockManager().blockManagerId();
      assertThat(new ExecutorHosts(driver).hosts()).isEmpty();
      BlockManagerId elsewhere = BlockManagerId.apply("driver", "other", 1, Option.empty());
      assertThat(new ExecutorHosts(elsewhere).hosts()).containsExactly(driver.host());
      assertThat(new ExecutorHosts(elsewhere).getAsBoolean()).isFalse();
    }
  }
}
