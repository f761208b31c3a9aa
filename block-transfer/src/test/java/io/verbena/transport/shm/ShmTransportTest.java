package io.verbena.transport.shm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.verbena.memory.MemoryView;
import io.verbena.store.StoreDescriptor;
import io.verbena.table.HandMadePeer;
import io.verbena.transport.Connection;
import io.verbena.transport.Read;
import io.verbena.transport.UnreachableException;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ShmTransportTest {
  @TempDir Path directory;

  private static void assertRefused(StoreDescriptor peer, String... parts) {
    try (ShmTransport transport = new ShmTransport(ShmTransport.Mode.AUTO)) {
      assertThatThrownBy(() -> transport.connect("4", peer).close())
          .isInstanceOf(UnreachableException.class)
          .hasMessageContainingAll(parts);
    }
  }

  private StoreDescriptor descriptor(Path where) {
    return new StoreDescriptor(1, 2, List.of(where.toString()), 4096);
  }

  @Test
  void aPeerOnAnotherHostIsUnreachableWithTheReason() {
    assertRefused(
        descriptor(directory.resolve("elsewhere")),
        "elsewhere/control of executor 4 does not exist here",
        "another host");
  }

  @Test
  void aFileThatIsNoControlAreaIsRefused() throws Exception {
    Path control = directory.resolve(StoreDescriptor.CONTROL_FILE);
    Files.write(control, new byte[100]);
    assertRefused(descriptor(directory), "it has 100 bytes", "as the same user");
    Files.write(control, new byte[1 << 20]);
    assertRefused(
        descriptor(directory), "is not the control file of executor 4", "its magic number is 0x0");
  }

  @Test
  void anotherLayoutVersionIsRefused() throws Exception {
    HandMadePeer peer = new HandMadePeer(directory, 4096, 4096, 9);
    peer.control().putInt(4, 2);
    assertRefused(
        peer.descriptor(), "its layout version is 2, expected 1", "the same Verbena version");
  }

  @Test
  void aBrokenHeaderIsRefused() throws Exception {
    HandMadePeer peer = new HandMadePeer(directory, 4096, 4096, 9);
    peer.control().putInt(24, 2);
    assertRefused(peer.descriptor(), "its header does not match its checksum");
  }

  @Test
  void aPeerWithoutDirectoriesIsUnreachable() {
    assertRefused(new StoreDescriptor(1, 2, List.of(), 4096), "executor 4 told no directory");
  }

  @Test
  void aRegionFileShorterThanItsRecordFailsTheReadAndNotTheProcess() throws Exception {
    HandMadePeer peer = new HandMadePeer(directory, 1 << 20, 4096, 9);
    try (RandomAccessFile file =
        new RandomAccessFile(directory.resolve(StoreDescriptor.regionFile(0)).toFile(), "rw")) {
      file.setLength(4096);
    }
    for (ShmTransport.Mode mode : ShmTransport.Mode.values()) {
      try (ShmTransport transport = new ShmTransport(mode);
          Connection connection = transport.connect("4", peer.descriptor())) {
        MemoryView local = MemoryView.of(ByteBuffer.allocateDirect(64));
        AtomicReference<IOException> failure = new AtomicReference<>();
        connection.post(List.of(new Read(0, 512 << 10, 64, local, 0, failure::set)));
        assertThat(failure.get())
            .hasMessageContaining("region-0 has 4096 bytes, its record says 1048576");
      }
    }
  }

  @Test
  void automaticModeMapsARegionForSmallReadsWhenItsPagesAreHuge() throws Exception {
    HandMadePeer peer = new HandMadePeer(directory, 1 << 20, 4096, 9);
    peer.addRegion(4 << 20, 2 << 20);
    try (ShmTransport transport = new ShmTransport(ShmTransport.Mode.AUTO);
        Connection connection = transport.connect("4", peer.descriptor())) {
      read(connection, 0, 4096);
      read(connection, 0, 1 << 20);
      assertThat(mapped(0)).as("small pages").isFalse();
      read(connection, 1, 64 << 10);
      assertThat(mapped(1)).as("huge pages, a large read").isFalse();
      read(connection, 1, 4096);
      assertThat(mapped(1)).as("huge pages, a small read").isTrue();
    }
    assertThat(mapped(1)).as("unmapped after close").isFalse();
  }

  private static void read(Connection connection, int region, int length) throws IOException {
    MemoryView local = MemoryView.of(ByteBuffer.allocateDirect(length));
    AtomicReference<IOException> failure = new AtomicReference<>();
    connection.post(List.of(new Read(region, 0, length, local, 0, failure::set)));
    assertThat(failure.get()).isNull();
  }

  private boolean mapped(int region) throws IOException {
    String file = directory.resolve(StoreDescriptor.regionFile(region)).toString();
    return Files.readString(Path.of("/proc/self/maps"))
        .lines()
        .filter(line -> line.endsWith(file))
        .anyMatch(line -> line.contains("r--s"));
  }
}
