package io.verbena.transport.verbs;

import io.verbena.memory.MemoryView;
import io.verbena.store.ChildJvm;
import io.verbena.store.StoreDescriptor;
import io.verbena.table.HandMadePeer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;

/** A process of its own whose memory is read by RDMA. */
final class OwnerProcess implements AutoCloseable {
  static final int REGION = 1 << 20;
  private static final long NONCE = 4711;
  private static final String READY = "ready";

  private final ChildJvm process;
  private final StoreDescriptor descriptor;

  OwnerProcess(Path folder) throws IOException {
    process = new ChildJvm(List.of(), OwnerProcess.class, folder.toString());
    String said = process.until(READY);
    Path address = folder.resolve("address");
    if (!Files.exists(address)) {
      throw new IOException("the owner's process did not start: " + said);
    }
    descriptor =
        new StoreDescriptor(
            NONCE, ~NONCE, List.of(folder.toString()), 1 << 16, Files.readAllLines(address));
  }

  StoreDescriptor descriptor() {
    return descriptor;
  }

  ChildJvm process() {
    return process;
  }

  /** Bytes of its region 0. */
  static byte[] bytes() {
    byte[] bytes = new byte[REGION];
    new Random(NONCE).nextBytes(bytes);
    return bytes;
  }

  @Override
  public void close() {
    process.close();
  }

  public static void main(String[] args) throws Exception {
    Path folder = Path.of(args[0]);
    VerbsTransport transport = VerbsTransport.open(VerbsFixture.settings());
    HandMadePeer peer = new HandMadePeer(folder, REGION, 1 << 16, NONCE, transport);
    MemoryView region = peer.region(0);
    region.putBytes(0, bytes(), 0, REGION);
    Files.write(folder.resolve("address"), transport.addresses());
    System.out.println(READY);
    // Until it is killed.
    Thread.currentThread().join();
  }
}
