package io.verbena.transport.shm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.verbena.memory.MemoryView;
import io.verbena.store.StoreDescriptor;
import io.verbena.table.HandMadePeer;
import io.verbena.transport.Connection;
import io.verbena.transport.OutOfRegionException;
import io.verbena.transport.Read;
import io.verbena.transport.UnreachableException;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

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

  private static long held(String region) throws IOException {
    long maps;
    try (var lines = Files.lines(Path.of("/proc/self/maps"))) {
      maps = lines.filter(line -> line.contains(region)).count();
    }
    try (var files = Files.list(Path.of("/proc/self/fd"))) {
      return maps
          + files
              .filter(
                  file -> {
                    try {
                      return Files.readSymbolicLink(file).toString().contains(region);
                    } catch (IOException e) {
                      return false; // closed meanwhile
                    }
                  })
              .count();
    }
  }

  private static IOException failureOfRead(Connection connection, int region) throws IOException {
    AtomicReference<IOException> failure = new AtomicReference<>();
    MemoryView into = MemoryView.of(ByteBuffer.allocateDirect(4096));
    connection.post(List.of(new Read(region, 0, 4096, into, 0, failure::set)));
    return failure.get();
  }

  @ParameterizedTest
  @EnumSource(
      value = ShmTransport.Mode.class,
      names = {"MAPPED", "READ"})
  void aRegionThatItsOwnerGivesBackIsLetGo(ShmTransport.Mode mode) throws Exception {
    HandMadePeer peer = new HandMadePeer(directory, 1 << 20, 4096, 9);
    peer.addRegion(1 << 20);
    String path = directory.resolve(StoreDescriptor.regionFile(1)).toString();
    // The peer made by hand has its own mapping.
    long before = held(path);
    try (ShmTransport transport = new ShmTransport(mode)) {
      ShmConnection connection = (ShmConnection) transport.connect("4", peer.descriptor());
      assertThat(failureOfRead(connection, 0)).isNull();
      assertThat(failureOfRead(connection, 1)).isNull();
      assertThat(held(path)).isGreaterThan(before);
      assertThat(connection.letGo()).as("others are open").isTrue();
      assertThat(held(path)).isGreaterThan(before);

      peer.retire(1);

      assertThat(connection.letGo()).as("others are open").isTrue();
      assertThat(held(path)).isEqualTo(before);
      assertThat(failureOfRead(connection, 0)).isNull();
      assertThat(failureOfRead(connection, 1))
          .isInstanceOf(OutOfRegionException.class)
          .hasMessage("executor 4 has given back region 1");
      connection.close();
      assertThat(connection.letGo()).as("others are open").isFalse();
    }
  }

  @Test
  void readersAndLettingGoDoNotDisturbEachOther() throws Exception {
    int regions = 200;
    HandMadePeer peer = new HandMadePeer(directory, 8192, 4096, 9);
    for (int i = 1; i < regions; i++) {
      peer.addRegion(8192);
    }
    try (ShmTransport transport = new ShmTransport(ShmTransport.Mode.MAPPED)) {
      ShmConnection connection = (ShmConnection) transport.connect("4", peer.descriptor());
      AtomicReference<Throwable> unexpected = new AtomicReference<>();
      AtomicBoolean end = new AtomicBoolean();
      List<Thread> readers = new ArrayList<>();
      for (int i = 0; i < 3; i++) {
        Thread reader =
            new Thread(
                () -> {
                  for (int round = 0; !end.get(); round++) {
                    try {
                      IOException failure = failureOfRead(connection, round % regions);
                      if (failure != null && !failure.getMessage().contains("has given back")) {
                        throw failure;
                      }
                    } catch (IOException | RuntimeException e) {
                      unexpected.compareAndSet(null, e);
                    }
                  }
                });
        reader.start();
        readers.add(reader);
      }
      for (int region = 1; region < regions; region++) {
        peer.retire(region);
        connection.letGo();
      }
      end.set(true);
      for (Thread reader : readers) {
        reader.join();
      }
      assertThat(unexpected.get()).isNull();
      connection.letGo();
      assertThat(failureOfRead(connection, 0)).isNull();
    }
  }
}
