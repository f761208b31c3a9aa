package io.verbena.bench;

import io.verbena.conf.RdmaConf;
import io.verbena.probe.ServedMemory;
import io.verbena.store.StoreDescriptor;
import io.verbena.transport.verbs.VerbsSettings;
import io.verbena.transport.verbs.VerbsTransport;
import io.verbena.transport.verbs.VerbsUnavailableException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** Holds a region that is registered with an RDMA device, for another process to read. */
final class ReadServer {
  /** Bytes of the region. */
  static final int REGION = 64 << 20;

  private static final String SECRET = "known to both processes of this benchmark";

  private ReadServer() {}

  /** Arguments: a folder of this process's own, the address of the RDMA device. */
  public static void main(String[] args) throws IOException, VerbsUnavailableException {
    Path folder = Files.createDirectories(Path.of(args[0]));
    try (VerbsTransport transport = VerbsTransport.open(settings(args[1]));
        ServedMemory served =
            ServedMemory.open(
                "bench-read-server",
                REGION,
                VerbenaEngine.backings(),
                List.of(),
                folder,
                transport)) {
      StoreDescriptor descriptor = served.descriptor();
      ChildLoop.run(words -> descriptor);
    }
  }

  /** The transport with the defaults of its options, at an address of this host. */
  static VerbsSettings settings(String address) {
    RdmaConf conf = RdmaConf.defaults();
    return new VerbsSettings(
        address,
        "",
        address,
        conf.verbsQueueDepth(),
        conf.verbsConnectTimeout(),
        conf.verbsIdleTimeout(),
        conf.verbsSpin(),
        SECRET.getBytes(StandardCharsets.UTF_8),
        List.of());
  }
}
