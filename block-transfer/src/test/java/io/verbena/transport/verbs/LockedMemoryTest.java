package io.verbena.transport.verbs;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbena.memory.MemoryView;
import io.verbena.store.ChildJvm;
import io.verbena.store.StoreDescriptor;
import io.verbena.transport.UnreachableException;
import java.nio.ByteBuffer;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * A process that may lock less memory than it needs. Whoever has the capability {@code
 * CAP_IPC_LOCK}, as root has, may lock all there is, so it is taken away.
 */
@Tag(VerbsFixture.TAG)
class LockedMemoryTest {
  private static final List<String> LIMITED =
      List.of("prlimit", "--memlock=524288:524288", "setpriv", "--bounding-set=-ipc_lock");

  @Test
  void whatCannotBeLockedIsSaidWithLimitNeedAndCommandAndTheTransportIsNotUsed() throws Exception {
    try (ChildJvm process = new ChildJvm(LIMITED, LockedMemoryTest.class)) {
      String said = process.until("end");
      String reason = "cannot register 1048576 bytes with the RDMA device (regMr";
      assertThat(said)
          .contains("exported: null")
          .contains("unreachable: memory that peers read: " + reason)
          .contains(
              "the limit of locked memory is 524288 bytes and at least 1048576 are needed; raise"
                  + " it with `ulimit -l unlimited` for the worker");
    }
  }

  /** The limited process. */
  public static void main(String[] args) throws Exception {
    MemoryView memory = MemoryView.of(ByteBuffer.allocateDirect(1 << 20));
    StoreDescriptor anybody = new StoreDescriptor(1, 2, List.of(), 4096, List.of("10.99.0.1:4711"));
    try (VerbsTransport transport = VerbsTransport.open(VerbsFixture.settings())) {
      System.out.println("exported: " + transport.export(memory));
      transport.register(memory);
      transport.connect("1", anybody).close();
    } catch (UnreachableException e) {
      System.out.println("unreachable: " + e.getMessage());
    }
    System.out.println("end");
  }
}
