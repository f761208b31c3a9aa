package io.verbena.transport.verbs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.verbena.memory.MemoryView;
import io.verbena.table.HandMadePeer;
import io.verbena.transport.Connection;
import io.verbena.transport.Read;
import io.verbena.transport.UnreachableException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The device goes while it is read through. Takes the machine's device: a group of its own. */
@Tag("rdma-removal")
@Timeout(180)
class VerbsRemovalTest {
  @TempDir Path folder;

  /**
   * The command itself ends when this process has: the driver waits for all who have the device
   * open, and librdmacm keeps it open.
   */
  private static Process delete(String device) throws IOException {
    return new ProcessBuilder("rdma", "link", "delete", device).inheritIO().start();
  }

  @Test
  void readsFailWhenTheDeviceIsRemovedAndNothingHangs() throws Exception {
    MemoryView local = MemoryView.of(ByteBuffer.allocateDirect(1 << 20));
    VerbsTransport owner = VerbsTransport.open(VerbsFixture.settings());
    VerbsTransport reader = VerbsTransport.open(VerbsFixture.settings());
    String device = reader.device().name();
    reader.register(local);
    HandMadePeer peer = new HandMadePeer(folder, 1 << 20, 4096, 5, owner);
    Connection connection = reader.connect("3", peer.descriptor());
    delete(device);

    assertThat(readUntilItFails(connection, local)).hasMessageContaining("executor 3");

    assertThatThrownBy(() -> reader.connect("4", peer.descriptor()))
        .isInstanceOf(UnreachableException.class)
        .hasMessageContaining("RDMA device " + device)
        .hasMessageContaining("read by other transports from now on");
    assertThat(reader.export(local)).isNull();
    connection.close();
    reader.close();
    owner.close();
  }

  private static IOException readUntilItFails(Connection connection, MemoryView local)
      throws InterruptedException {
    while (true) {
      Waits.Latch latch = new Waits.Latch();
      try {
        connection.post(List.of(new Read(0, 0, 1 << 20, local, 0, latch)));
      } catch (IOException e) {
        return e;
      }
      assertThat(latch.await(System.nanoTime() + Duration.ofSeconds(60).toNanos())).isTrue();
      if (latch.failure() != null) {
        return latch.failure();
      }
    }
  }
}
