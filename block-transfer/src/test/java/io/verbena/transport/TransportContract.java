package io.verbena.transport;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.verbena.memory.MemoryView;
import io.verbena.store.RemoteAccess;
import io.verbena.store.StoreDescriptor;
import io.verbena.table.Control;
import io.verbena.table.HandMadePeer;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * What every one-sided transport owes its users. A transport joins by a subclass that makes one and
 * lets it reach a {@link HandMadePeer}.
 */
@Timeout(120)
public abstract class TransportContract {
  protected static final int REGION = 1 << 20;
  private static final long ROUNDS = 2000;

  @TempDir protected Path directory;
  protected HandMadePeer peer;
  private Transport transport;
  private MemoryView local;

  /** The transport under test. */
  protected abstract Transport newTransport() throws Exception;

  /** The adapter through which the peer is read. */
  protected RemoteAccess remoteAccess() throws Exception {
    return RemoteAccess.NONE;
  }

  /** Memory that READs of the transport write into. */
  protected final MemoryView localMemory(int size) {
    MemoryView memory = MemoryView.of(ByteBuffer.allocateDirect(size));
    transport.register(memory);
    return memory;
  }

  @BeforeEach
  void open() throws Exception {
    peer = new HandMadePeer(directory, REGION, 1 << 16, 77, remoteAccess());
    byte[] bytes = new byte[REGION];
    new Random(5).nextBytes(bytes);
    peer.region(0).putBytes(0, bytes, 0, REGION);
    transport = newTransport();
    local = localMemory(REGION + 4096);
  }

  @AfterEach
  void close() throws Exception {
    transport.close();
  }

  /** READs that are awaited together. */
  protected static final class Group {
    private final CountDownLatch left;
    final List<IOException> failures = new ArrayList<>();
    final AtomicInteger completions = new AtomicInteger();

    public Group(int count) {
      left = new CountDownLatch(count);
    }

    Read.Completion completion() {
      AtomicInteger calls = new AtomicInteger();
      return failure -> {
        if (calls.incrementAndGet() > 1) {
          throw new AssertionError("completed twice");
        }
        synchronized (failures) {
          if (failure != null) {
            failures.add(failure);
          }
        }
        completions.incrementAndGet();
        left.countDown();
      };
    }

    void await() throws InterruptedException {
      assertThat(left.await(60, TimeUnit.SECONDS)).as("all READs complete").isTrue();
    }
  }

  private List<IOException> read(Connection connection, int region, int offset, int length)
      throws Exception {
    Group group = new Group(1);
    connection.post(List.of(new Read(region, offset, length, local, 0, group.completion())));
    group.await();
    return group.failures;
  }

  @Test
  void readsTheRangesThatWereAskedFor() throws Exception {
    Random random = new Random(6);
    try (Connection connection = transport.connect("1", peer.descriptor())) {
      for (int round = 0; round < 50; round++) {
        int count = 1 + random.nextInt(20);
        Group group = new Group(count);
        List<Read> reads = new ArrayList<>();
        int at = 0;
        for (int i = 0; i < count; i++) {
          int length = 1 + random.nextInt(REGION / 32);
          int offset = random.nextInt(REGION - length + 1);
          reads.add(new Read(0, offset, length, local, at, group.completion()));
          at += length;
        }
        connection.post(reads);
        group.await();
        assertThat(group.failures).isEmpty();
        for (Read read : reads) {
          assertThat(local.buffer(read.intoOffset(), read.length()))
              .isEqualTo(peer.region(0).buffer(read.offset(), read.length()));
        }
      }
    }
  }

  @Test
  void readsTheWholeOfARegionAndItsLastByte() throws Exception {
    try (Connection connection = transport.connect("1", peer.descriptor())) {
      assertThat(read(connection, 0, 0, REGION)).isEmpty();
      assertThat(local.buffer(0, REGION)).isEqualTo(peer.region(0).buffer(0, REGION));
      assertThat(read(connection, 0, REGION - 1, 1)).isEmpty();
      assertThat(local.getByte(0)).isEqualTo(peer.region(0).getByte(REGION - 1));
    }
  }

  @Test
  void readsTheControlArea() throws Exception {
    try (Connection connection = transport.connect("1", peer.descriptor())) {
      peer.control().putLongRelease(Control.wordOffset(9), 0x1234567890L);
      assertThat(read(connection, Connection.CONTROL, Control.wordOffset(9), 8)).isEmpty();
      assertThat(local.getLong(0)).isEqualTo(0x1234567890L);
      assertThat(read(connection, Connection.CONTROL, 0, Control.HEADER_SIZE)).isEmpty();
      assertThat(local.buffer(0, Control.HEADER_SIZE))
          .isEqualTo(peer.control().buffer(0, Control.HEADER_SIZE));
    }
  }

  @Test
  void findsRegionsThatCameAfterConnecting() throws Exception {
    try (Connection connection = transport.connect("1", peer.descriptor())) {
      assertThat(read(connection, 1, 0, 8))
          .singleElement()
          .isInstanceOf(OutOfRegionException.class);

      peer.addRegion(8192);
      peer.region(1).putLong(4096, 99);

      assertThat(read(connection, 1, 4096, 8)).isEmpty();
      assertThat(local.getLong(0)).isEqualTo(99);
    }
  }

  @Test
  void refusesBytesOutsideARegionAndGoesOn() throws Exception {
    try (Connection connection = transport.connect("1", peer.descriptor())) {
      int[][] wrong = {
        {0, REGION - 7, 8},
        {0, REGION, 1},
        {0, -1, 1},
        {0, Integer.MIN_VALUE, 4096},
        {0, Integer.MAX_VALUE, 4096},
        {7, 0, 8},
        {65535, 0, 8},
        {-2, 0, 8},
        {Connection.CONTROL, Control.size() - 7, 8},
      };
      for (int[] range : wrong) {
        assertThat(read(connection, range[0], range[1], range[2]))
            .singleElement()
            .isInstanceOf(OutOfRegionException.class)
            .extracting(Throwable::getMessage)
            .asString()
            .contains("executor 1");
        assertThat(read(connection, 0, 0, 64)).isEmpty();
      }
    }
  }

  /** The generation word can only judge what was read before it. */
  @Test
  void executesReadsInOrder() throws Exception {
    CountDownLatch stop = new CountDownLatch(1);
    Thread owner =
        new Thread(
            () -> {
              // The value goes up in the region first: who reads region, then word, must never see
              // a region older than the word it reads before, nor newer than one read after.
              for (long i = 1; stop.getCount() > 0; i++) {
                peer.region(0).putLongRelease(0, i);
                peer.control().putLongRelease(Control.wordOffset(1), i);
              }
            });
    peer.region(0).putLongRelease(0, 0);
    try (Connection connection = transport.connect("1", peer.descriptor())) {
      owner.start();
      for (int round = 0; round < ROUNDS; round++) {
        Group group = new Group(3);
        connection.post(
            List.of(
                new Read(
                    Connection.CONTROL, Control.wordOffset(1), 8, local, 0, group.completion()),
                new Read(0, 0, 8, local, 8, group.completion()),
                new Read(
                    Connection.CONTROL, Control.wordOffset(1), 8, local, 16, group.completion())));
        group.await();
        assertThat(group.failures).isEmpty();
        assertThat(local.getLong(8)).isGreaterThanOrEqualTo(local.getLong(0));
        assertThat(local.getLong(16)).isGreaterThanOrEqualTo(local.getLong(8) - 1);
      }
    } finally {
      stop.countDown();
      owner.join();
    }
  }

  @Test
  void refusesAPeerWithAnotherNonce() {
    StoreDescriptor right = peer.descriptor();
    StoreDescriptor other =
        new StoreDescriptor(
            right.nonceHigh(),
            right.nonceLow() + 1,
            right.directories(),
            right.chunkSize(),
            right.verbsAddresses());
    assertThatThrownBy(() -> transport.connect("1", other).close())
        .isInstanceOf(UnreachableException.class)
        .hasMessageContaining("executor 1")
        .hasMessageContaining("nonce");
  }

  @Test
  void readsInFlightCompleteOnceWhenTheConnectionIsClosed() throws Exception {
    for (int round = 0; round < 30; round++) {
      Connection connection = transport.connect("1", peer.descriptor());
      int threads = 3;
      int each = 40;
      CyclicBarrier start = new CyclicBarrier(threads + 1);
      AtomicReference<Throwable> wrong = new AtomicReference<>();
      List<Thread> readers = new ArrayList<>();
      List<Group> groups = new ArrayList<>();
      for (int t = 0; t < threads; t++) {
        MemoryView mine = localMemory(64 << 10);
        Thread reader =
            new Thread(
                () -> {
                  try {
                    start.await(60, TimeUnit.SECONDS);
                    for (int i = 0; i < each; i++) {
                      Group group = new Group(2);
                      List<Read> reads =
                          List.of(
                              new Read(0, 0, 32 << 10, mine, 0, group.completion()),
                              new Read(0, 100, 32 << 10, mine, 32 << 10, group.completion()));
                      try {
                        connection.post(reads);
                      } catch (IOException e) {
                        assertThat(group.completions.get()).as("nothing was posted").isZero();
                        return;
                      }
                      group.await();
                      synchronized (groups) {
                        groups.add(group);
                      }
                    }
                  } catch (Throwable e) {
                    wrong.set(e);
                  }
                });
        reader.start();
        readers.add(reader);
      }
      start.await(60, TimeUnit.SECONDS);
      connection.close();
      connection.close();
      for (Thread reader : readers) {
        reader.join();
      }
      assertThat(wrong.get()).isNull();
      assertThat(groups).allSatisfy(g -> assertThat(g.completions.get()).isEqualTo(2));
      assertThatThrownBy(
              () ->
                  connection.post(List.of(new Read(0, 0, 8, local, 0, new Group(1).completion()))))
          .isInstanceOf(IOException.class)
          .hasMessageContaining("executor 1")
          .hasMessageContaining("closed");
    }
  }

  @Test
  void aClosedTransportRefusesAndItsConnectionsAreClosed() throws Exception {
    Connection connection = transport.connect("1", peer.descriptor());
    transport.close();
    transport.close();
    assertThatThrownBy(
            () -> connection.post(List.of(new Read(0, 0, 8, local, 0, new Group(1).completion()))))
        .isInstanceOf(IOException.class);
    assertThatThrownBy(() -> transport.connect("1", peer.descriptor()).close())
        .isInstanceOf(UnreachableException.class)
        .hasMessageContaining("closed");
  }

  @Test
  void anInterruptedTaskDisturbsNobody() throws Exception {
    try (Connection connection = transport.connect("1", peer.descriptor())) {
      CountDownLatch stop = new CountDownLatch(1);
      AtomicReference<Throwable> wrong = new AtomicReference<>();
      Thread other =
          new Thread(
              () -> {
                MemoryView mine = localMemory(4096);
                try {
                  while (stop.getCount() > 0) {
                    Group group = new Group(1);
                    connection.post(List.of(new Read(0, 0, 4096, mine, 0, group.completion())));
                    group.await();
                    assertThat(group.failures).isEmpty();
                  }
                } catch (Throwable e) {
                  wrong.set(e);
                }
              });
      other.start();
      for (int round = 0; round < 200; round++) {
        Group group = new Group(1);
        Thread.currentThread().interrupt();
        try {
          connection.post(List.of(new Read(0, 64, 4096, local, 0, group.completion())));
          assertThat(Thread.currentThread().isInterrupted()).as("interrupt is kept").isTrue();
        } finally {
          Thread.interrupted();
        }
        group.await();
        assertThat(group.failures).isEmpty();
      }
      stop.countDown();
      other.join();
      assertThat(wrong.get()).isNull();
    }
  }
}
