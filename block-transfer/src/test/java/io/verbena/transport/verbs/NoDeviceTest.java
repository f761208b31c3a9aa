package io.verbena.transport.verbs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.verbena.host.HostFiles;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Hosts whose devices the libraries do not find or cannot open, and what they are told. */
class NoDeviceTest {
  @TempDir private Path root;

  private void file(String path, String text) throws IOException {
    Path file = root.resolve(path);
    Files.createDirectories(file.getParent());
    Files.writeString(file, text);
  }

  private void device(String name, String file) throws IOException {
    file("sys/class/infiniband/" + name + "/node_type", "1: CA\n");
    file("sys/class/infiniband_verbs/" + file + "/ibdev", name + "\n");
  }

  private void opened(List<String> listed, String message) {
    Fabric fabric =
        (Fabric)
            Proxy.newProxyInstance(
                getClass().getClassLoader(),
                new Class<?>[] {Fabric.class},
                (proxy, method, arguments) -> {
                  if (method.getName().equals("devices")) {
                    return listed;
                  }
                  throw new IOException("no such file");
                });
    HostFiles host = new HostFiles(root, null);
    assertThatThrownBy(() -> VerbsTransport.open(fabric, VerbsFixture.settings(), host))
        .isInstanceOf(VerbsUnavailableException.class)
        .hasMessage(message);
  }

  @Test
  void hostWithoutDeviceIsToldToLoadItsDriver() {
    opened(
        List.of(),
        "this host has no RDMA device (/sys/class/infiniband is empty): if it has such a network"
            + " card, load its driver");
  }

  @Test
  void containerThatDoesNotHaveTheDevicesFileIsToldToTakeItIn() throws IOException {
    device("mlx5_0", "uverbs0");
    opened(
        List.of(),
        "this host has RDMA devices (mlx5_0), but /dev/infiniband has no file of theirs: modprobe"
            + " ib_uverbs, for a container --device=/dev/infiniband");
  }

  @Test
  void hostWithoutTheLibrarysDriverIsToldThePackage() throws IOException {
    device("mlx5_0", "uverbs0");
    file("dev/infiniband/uverbs0", "");
    opened(
        List.of(),
        "libibverbs has no driver for the RDMA devices of this host (mlx5_0): install rdma-core's"
            + " drivers (Debian: ibverbs-providers, Red Hat: libibverbs)");
  }

  @Test
  void failedCallIsToldWithTheFileThatIsMissing() throws IOException {
    device("mlx5_0", "uverbs0");
    device("mlx5_1", "uverbs1");
    file("dev/infiniband/uverbs0", "");
    String failed = "the RDMA device cannot be used: no such file; ";
    opened(
        List.of("mlx5_0", "mlx5_1"),
        failed
            + "/dev/infiniband/rdma_cm is missing: modprobe rdma_ucm, for a container"
            + " --device=/dev/infiniband");
    file("dev/infiniband/rdma_cm", "");
    opened(
        List.of("mlx5_0", "mlx5_1"),
        failed
            + "/dev/infiniband has no file of mlx5_1: modprobe ib_uverbs, for a container"
            + " --device=/dev/infiniband");
  }

  @Test
  void deviceThatDoesNotSayItsFileHasOneWhenThereIsAny() throws IOException {
    file("sys/class/infiniband/mlx5_0/node_type", "1: CA\n");
    file("dev/infiniband/uverbs3", "");
    file("dev/infiniband/rdma_cm", "");
    opened(List.of("mlx5_0"), "the RDMA device cannot be used: no such file");
    assertThat(NoDevice.reason(new HostFiles(root, null))).startsWith("libibverbs has no driver");
  }
}
