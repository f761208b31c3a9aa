package io.verbena.transport.verbs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class VerbsCheckTest {
  @TempDir Path root;
  private final ByteArrayOutputStream said = new ByteArrayOutputStream();

  private int run(String... args) {
    return new VerbsCheck(root, new PrintStream(said, true, StandardCharsets.UTF_8)).run(args);
  }

  private String said() {
    return said.toString(StandardCharsets.UTF_8);
  }

  private void make(String... files) throws IOException {
    for (String file : files) {
      Path path = root.resolve(file);
      Files.createDirectories(path.getParent());
      Files.createFile(path);
    }
  }

  @Test
  void hostWithoutDeviceIsToldHowToGetOne() {
    assertThat(run()).isEqualTo(1);
    assertThat(said())
        .startsWith("FAIL  there is no RDMA device (/sys/class/infiniband is empty): load")
        .contains("rdma link add rxe0 type rxe netdev eth0")
        .endsWith("verbs does not work on this host; mend that first\n");
  }

  @Test
  void missingConnectionManagerIsTheFirstThingToMend() throws IOException {
    make("sys/class/infiniband/mlx5_0", "dev/infiniband/uverbs0");
    assertThat(run()).isEqualTo(1);
    assertThat(said())
        .startsWith(
            "ok    RDMA devices: mlx5_0\nFAIL  there is no /dev/infiniband/rdma_cm: modprobe");
  }

  @Test
  void missingVerbsDeviceFileIsNamed() throws IOException {
    make("sys/class/infiniband/mlx5_0", "dev/infiniband/rdma_cm");
    assertThat(run()).isEqualTo(1);
    assertThat(said()).contains("FAIL  there is no /dev/infiniband/uverbs*: modprobe ib_uverbs");
  }

  @Test
  void unknownOptionIsRefused() {
    assertThat(run("--devices", "a")).isEqualTo(64);
    assertThat(said()).isEqualTo("bin/verbs-check: unknown option: --devices\n");
  }

  @Test
  void optionWithoutItsValueIsNamed() {
    assertThat(run("--device")).isEqualTo(64);
    assertThat(said()).isEqualTo("bin/verbs-check: --device needs a value\n");
  }
}
