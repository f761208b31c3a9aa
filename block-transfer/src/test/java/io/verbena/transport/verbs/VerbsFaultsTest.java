package io.verbena.transport.verbs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.verbena.memory.MemoryView;
import io.verbena.store.RemoteAccess;
import io.verbena.store.StoreDescriptor;
import io.verbena.table.Control;
import io.verbena.table.HandMadePeer;
import io.verbena.table.RemoteKey;
import io.verbena.transport.Connection;
import io.verbena.transport.OutOfRegionException;
import io.verbena.transport.Read;
import io.verbena.transport.UnreachableException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What goes wrong between two executors that reach each other by RDMA. */
@Tag(VerbsFixture.TAG)
@Timeout(180)
class VerbsFaultsTest {
  private static final int REGION = 1 << 16;

  @TempDir Path folder;
  private VerbsTransport owner;
  private VerbsTransport reader;
  private MemoryView local;

  @BeforeEach
  void open() throws Exception {
    owner = VerbsTransport.open(VerbsFixture.settings());
    reader = VerbsTransport.open(VerbsFixture.settings());
    local = MemoryView.of(ByteBuffer.allocateDirect(1 << 20));
    reader.register(local);
  }

  @AfterEach
  void close() {
    reader.close();
    owner.close();
  }

  /** The owner's adapter, which tells something wrong of a region but not of the control area. */
  private record Lying(VerbsTransport transport, int size, long shift, int keyChange)
      implements RemoteAccess {
    @Override
    public List<String> addresses() {
      return transport.addresses();
    }

    @Override
    public RemoteKey export(MemoryView memory) {
      RemoteKey right = transport.export(memory);
      return memory.capacity() != size
          ? right
          : new RemoteKey(right.address() + shift, right.key() ^ keyChange);
    }

    @Override
    public void withdraw(MemoryView memory) {
      transport.withdraw(memory);
    }

    @Override
    public void serve(long nonceHigh, long nonceLow, MemoryView control) {
      transport.serve(nonceHigh, nonceLow, control);
    }
  }

  private HandMadePeer peer(long shift, int keyChange) throws IOException {
    return new HandMadePeer(folder, REGION, 4096, 5, new Lying(owner, REGION, shift, keyChange));
  }

  private static IOException read(Connection connection, MemoryView into, int offset, int length)
      throws IOException {
    Waits.Latch latch = new Waits.Latch();
    connection.post(List.of(new Read(0, offset, length, into, 0, latch)));
    assertThat(latch.await(System.nanoTime() + Duration.ofSeconds(60).toNanos())).isTrue();
    return latch.failure();
  }

  private void assertRefusedByTheDevice(HandMadePeer peer) throws IOException {
    try (Connection connection = reader.connect("3", peer.descriptor())) {
      assertThat(read(connection, local, 64, 4096))
          .isNotInstanceOf(OutOfRegionException.class)
          .hasMessageContaining("work request ")
          .hasMessageContaining("a READ of 4096 bytes at 64 of region 0")
          .hasMessageContaining("with executor 3 at " + owner.addresses().get(0))
          .hasMessageContaining("remote access error (status 10, ")
          .hasMessageContaining("its location table is damaged");
      assertThatIOException()
          .as("the connection is broken")
          .isThrownBy(() -> read(connection, local, 64, 4096))
          .withMessageContaining("remote access error");
    }
    // Others are as good as before.
    HandMadePeer right = new HandMadePeer(folder("right"), REGION, 4096, 6, owner);
    try (Connection connection = reader.connect("4", right.descriptor())) {
      assertThat(read(connection, local, 0, 64)).isNull();
    }
  }

  private Path folder(String name) throws IOException {
    return java.nio.file.Files.createDirectory(folder.resolve(name));
  }

  @Test
  void aWrongKeyBreaksTheConnectionAlone() throws Exception {
    assertRefusedByTheDevice(peer(0, 0x00ff00));
  }

  @Test
  void anAddressOutsideTheRegionBreaksTheConnectionAlone() throws Exception {
    assertRefusedByTheDevice(peer(REGION, 0));
  }

  @Test
  void aRegionWithoutAKeyIsNotReadAndTheReasonIsSaid() throws Exception {
    RemoteAccess without =
        new RemoteAccess() {
          @Override
          public List<String> addresses() {
            return owner.addresses();
          }

          @Override
          public RemoteKey export(MemoryView memory) {
            return null;
          }

          @Override
          public void withdraw(MemoryView memory) {}

          @Override
          public void serve(long nonceHigh, long nonceLow, MemoryView control) {
            owner.serve(nonceHigh, nonceLow, control);
          }
        };
    HandMadePeer peer = new HandMadePeer(folder, REGION, 4096, 5, without);
    try (Connection connection = reader.connect("3", peer.descriptor())) {
      assertThatIOException()
          .isThrownBy(() -> read(connection, local, 0, 8))
          .withMessage(
              "region 0 of executor 3 is not registered with its RDMA device; its log says why");
    }
  }

  @Test
  void memoryThatIsNotRegisteredIsNotReadInto() throws Exception {
    HandMadePeer peer = peer(0, 0);
    MemoryView other = MemoryView.of(ByteBuffer.allocateDirect(4096));
    try (Connection connection = reader.connect("3", peer.descriptor())) {
      assertThatIOException()
          .isThrownBy(() -> read(connection, other, 0, 8))
          .withMessageContaining("not registered with the RDMA device");
      assertThat(read(connection, local, 0, 8)).isNull();
    }
  }

  @Test
  void anotherApplicationIsRefused() throws Exception {
    HandMadePeer peer = peer(0, 0);
    try (VerbsTransport foreign =
        VerbsTransport.open(VerbsFixture.settings("another application's secret"))) {
      assertThatThrownBy(() -> foreign.connect("3", peer.descriptor()))
          .isInstanceOf(UnreachableException.class)
          .hasMessageContaining("executor 3")
          .hasMessageContaining("does not know the secret of this application");
    }
  }

  @Test
  void whereNobodyListensIsUnreachableWithTheReason() {
    StoreDescriptor nobody =
        new StoreDescriptor(
            1, 2, List.of(), 4096, List.of(owner.addresses().get(0).split(":", -1)[0] + ":1"));
    assertThatThrownBy(() -> reader.connect("3", nobody))
        .isInstanceOf(UnreachableException.class)
        .hasMessageContaining("executor 3")
        .hasMessageContaining("refused: nothing of this application listens there");
  }

  @Test
  void anExecutorWithoutADeviceIsUnreachable() {
    assertThatThrownBy(() -> reader.connect("3", new StoreDescriptor(1, 2, List.of(), 4096)))
        .isInstanceOf(UnreachableException.class)
        .hasMessage("executor 3 has no RDMA device that can be used; its log says why");
  }

  @Test
  void anIdleConnectionIsClosedAndMadeAgain() throws Exception {
    HandMadePeer peer = peer(0, 0);
    peer.region(0).putLong(0, 42);
    VerbsSettings usual = VerbsFixture.settings();
    VerbsSettings impatient =
        new VerbsSettings(
            usual.host(),
            usual.device(),
            usual.address(),
            usual.queueDepth(),
            usual.connectTimeout(),
            Duration.ofSeconds(2),
            usual.spin(),
            usual.secret(),
            usual.libraryFolders());
    try (VerbsTransport transport = VerbsTransport.open(impatient)) {
      transport.register(local);
      Connection connection = transport.connect("3", peer.descriptor());
      assertThat(transport.stats().queuePairs()).isEqualTo(1);
      long deadline = System.nanoTime() + Duration.ofSeconds(60).toNanos();
      while (transport.stats().queuePairs() > 0) {
        assertThat(System.nanoTime()).as("closed in time").isLessThan(deadline);
        Thread.onSpinWait();
      }
      assertThat(read(connection, local, 0, 8)).isNull();
      assertThat(local.getLong(0)).isEqualTo(42);
      assertThat(transport.stats().queuePairs()).isEqualTo(1);
    }
  }

  @Test
  void readsOfAnExecutorThatIsKilledFailAndItIsUnreachableAfterwards() throws Exception {
    try (OwnerProcess process = new OwnerProcess(folder);
        Connection connection = reader.connect("3", process.descriptor())) {
      assertThat(read(connection, local, 0, OwnerProcess.REGION / 2)).isNull();
      List<Waits.Latch> latches = new ArrayList<>();
      process.process().kill();
      IOException failure = null;
      try {
        for (int i = 0; i < 1000; i++) {
          Waits.Latch latch = new Waits.Latch();
          latches.add(latch);
          connection.post(List.of(new Read(0, 0, 4096, local, 0, latch)));
        }
      } catch (IOException e) {
        failure = e;
        latches.remove(latches.size() - 1);
      }
      for (Waits.Latch latch : latches) {
        assertThat(latch.await(System.nanoTime() + Duration.ofSeconds(60).toNanos())).isTrue();
        failure = latch.failure() == null ? failure : latch.failure();
      }
      assertThat(failure).isNotNull().hasMessageContaining("executor 3");
      assertThatThrownBy(() -> reader.connect("3", process.descriptor()))
          .isInstanceOf(UnreachableException.class);
    }
  }

  /** Connection and region records are there already; the READs themselves need nobody's code. */
  @Test
  void anExecutorWhoseProcessIsStoppedIsReadAllTheSame() throws Exception {
    byte[] expected = OwnerProcess.bytes();
    byte[] seen = new byte[OwnerProcess.REGION / 2];
    try (OwnerProcess process = new OwnerProcess(folder);
        Connection connection = reader.connect("3", process.descriptor())) {
      process.process().stop();
      for (int half = 0; half < 2; half++) {
        local.zero(0, seen.length);
        assertThat(read(connection, local, half * seen.length, seen.length)).isNull();
        local.getBytes(0, seen, 0, seen.length);
        assertThat(seen)
            .isEqualTo(
                java.util.Arrays.copyOfRange(
                    expected, half * seen.length, (half + 1) * seen.length));
      }
      assertThat(process.process().stopped()).isTrue();
      process.process().signal("CONT");
    }
  }

  /** The region's key is right; what is missing is the proof. */
  @Test
  void nothingIsReadBeforeTheSecretIsProved() throws Exception {
    HandMadePeer peer = peer(0, 0);
    RemoteKey key = owner.export(peer.region(0));
    try (RogueReader rogue = new RogueReader(owner.addresses().get(0), 5, ~5L)) {
      assertThat(rogue.read(key, Control.HEADER_SIZE)).as("status of the READ").isNotZero();
      assertThat(rogue.bytesAreZero()).isTrue();
    }
  }
}
