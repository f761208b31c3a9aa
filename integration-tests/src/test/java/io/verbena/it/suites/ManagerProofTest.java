package io.verbena.it.suites;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbena.spark.RdmaShuffleManager;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class ManagerProofTest {
  @TempDir private Path folder;

  /** What a JVM logs when it initialises classes, after others that have like names. */
  private void jvm(int pid, Class<?>... classes) throws IOException {
    StringBuilder text = new StringBuilder();
    for (Class<?> one : classes) {
      String name = one.getName().replace('.', '/');
      text.append("Start class verification for: ").append(one.getName()).append('\n');
      text.append("812 Initializing '").append(name).append("$' (0x00007f)\n");
      text.append("813 Initializing '").append(name).append("'(no method) (0x00007f)\n");
    }
    Files.writeString(folder.resolve("classes-" + pid + ".log"), text);
  }

  @Test
  void oursAloneIsRight() throws Exception {
    jvm(1, RdmaShuffleManager.class);
    jvm(2, String.class);
    assertThat(ManagerProof.problems(folder, false)).isEmpty();
    assertThat(ManagerProof.problems(folder, true)).hasSize(2);
  }

  @Test
  void neitherIsAProblem() throws Exception {
    jvm(1, String.class);
    assertThat(ManagerProof.problems(folder, false))
        .containsExactly(
            "Verbena's manager was not used: io/verbena/spark/RdmaShuffleManager was initialised in"
                + " no JVM");
    assertThat(ManagerProof.problems(folder, true)).hasSize(1);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "sort.SortShuffleWriter",
        "sort.UnsafeShuffleWriter",
        "sort.BypassMergeSortShuffleWriter",
        "BlockStoreShuffleReader"
      })
  void sparksInAnyJvmIsAProblem(String name) throws Exception {
    Class<?> sparks = Class.forName("org.apache.spark.shuffle." + name);
    jvm(1, RdmaShuffleManager.class);
    jvm(2, sparks);
    assertThat(ManagerProof.problems(folder, false))
        .containsExactly(
            "Spark's own shuffle was used: initialised in some JVM were ["
                + sparks.getName().replace('.', '/')
                + "]");
    Files.delete(folder.resolve("classes-1.log"));
    assertThat(ManagerProof.problems(folder, true)).isEmpty();
  }
}
