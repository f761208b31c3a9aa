package io.verbena.bench;

import io.verbena.conf.RdmaConf;
import io.verbena.store.MapOutput;
import io.verbena.store.RunWriter;
import io.verbena.store.ShuffleStore;
import io.verbena.store.StoreDescriptor;
import io.verbena.store.StoreSettings;
import io.verbena.transport.verbs.VerbsSettings;
import io.verbena.transport.verbs.VerbsTransport;
import io.verbena.transport.verbs.VerbsUnavailableException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;

/** Holds a region that is registered with an RDMA device, for another process to read. */
final class ReadServer implements AutoCloseable {
  /** Bytes of the region; all of them are in memory and may be read. */
  static final int REGION = 64 << 20;

  private static final int BLOCK = 1 << 20;
  private static final String SECRET = "known to both processes of this benchmark";

  private final VerbsTransport transport;
  private final ShuffleStore store;

  private ReadServer(VerbsTransport transport, ShuffleStore store) {
    this.transport = transport;
    this.store = store;
  }

  /** Arguments: a folder of this process's own, the address of the RDMA device. */
  public static void main(String[] args) throws IOException, VerbsUnavailableException {
    try (ReadServer server = open(Path.of(args[0]), args[1])) {
      StoreDescriptor descriptor = server.fill();
      ChildLoop.run(words -> descriptor);
    }
  }

  private static ReadServer open(Path folder, String address)
      throws IOException, VerbsUnavailableException {
    VerbsTransport transport = VerbsTransport.open(settings(address));
    try {
      return new ReadServer(transport, ShuffleStore.open(storeSettings(folder, transport)));
    } catch (IOException | RuntimeException e) {
      transport.close();
      throw e;
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

  private static StoreSettings storeSettings(Path folder, VerbsTransport transport)
      throws IOException {
    StoreSettings plain = VerbenaEngine.settings("bench-read-server", folder, 2L * REGION);
    return new StoreSettings(
        plain.name(),
        plain.poolLimit(),
        plain.memoryHint(),
        REGION,
        plain.chunkSize(),
        plain.backings(),
        plain.memoryDirectories(),
        plain.localDirectories(),
        false,
        plain.runFiles(),
        plain.announcer(),
        transport);
  }

  /** Writes map outputs until the first region is nearly full. */
  private StoreDescriptor fill() throws IOException {
    byte[] block = new byte[BLOCK];
    for (int map = 0; map < REGION / BLOCK - 2; map++) {
      BlockData.fill(block, 0, map, 0);
      try (MapOutput output = store.newMapOutput(0, 1, map)) {
        RunWriter run = output.newRun();
        run.partition(0, 0, block.length);
        run.write(block, 0, block.length);
        run.finish();
        output.commit();
      }
    }
    return store.descriptor();
  }

  @Override
  public void close() {
    store.close();
    transport.close();
  }
}
