package io.verbena.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbena.memory.MemoryView;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.zip.CRC32C;

/** Settings, writers and readers that the store's tests share. */
public final class StoreFixture {
  public static final int MIB = 1 << 20;

  final Path root;
  public final List<ShuffleDescriptor> announced = new CopyOnWriteArrayList<>();
  final AtomicInteger announcements = new AtomicInteger();
  public volatile Callable<Void> beforeAnnouncing = () -> null;
  public long limit = 16L * MIB;
  int regionSize = MIB;
  public int chunkSize = MIB / 16;
  boolean prefault = true;
  List<String> backings = List.of("tmpfs", "disk");
  List<Path> memory;
  List<Path> local;
  public Path runFolder;
  RemoteAccess remote = RemoteAccess.NONE;

  /** With places below a folder of the test. */
  public StoreFixture(Path root) throws IOException {
    this.root = root;
    memory = List.of(Files.createDirectories(root.resolve("memory")));
    local = List.of(Files.createDirectories(root.resolve("local")));
    runFolder = Files.createDirectories(root.resolve("runs"));
  }

  Path runFile(int shuffleId, long mapId, int run) {
    return runFolder.resolve(shuffleId + "-" + mapId + "-" + run);
  }

  StoreSettings settings() {
    return new StoreSettings(
        "app-1",
        limit,
        0,
        regionSize,
        chunkSize,
        backings,
        memory,
        local,
        prefault,
        this::runFile,
        this::announce,
        remote);
  }

  private void announce(ShuffleDescriptor descriptor) throws IOException {
    try {
      beforeAnnouncing.call();
    } catch (IOException e) {
      throw e;
    } catch (Exception e) {
      throw new AssertionError(e);
    }
    announcements.incrementAndGet();
    announced.add(descriptor);
  }

  public ShuffleStore open() throws IOException {
    return ShuffleStore.open(settings());
  }

  public static byte[] bytes(Random random, int length) {
    byte[] bytes = new byte[length];
    random.nextBytes(bytes);
    return bytes;
  }

  /** Publishes one map output of one run. */
  static void write(ShuffleStore store, int shuffleId, long mapId, byte[][] blocks)
      throws IOException {
    write(store, shuffleId, mapId, 0, blocks);
  }

  /** Publishes one map output: {@code runs[run][partition]}. */
  public static void write(
      ShuffleStore store, int shuffleId, long mapId, int flags, byte[][]... runs)
      throws IOException {
    int partitions = runs[0].length;
    long[] expected = new long[partitions];
    try (MapOutput output = store.newMapOutput(shuffleId, partitions, mapId)) {
      for (byte[][] blocks : runs) {
        RunWriter run = output.newRun();
        for (int partition = 0; partition < partitions; partition++) {
          if (blocks[partition].length > 0) {
            run.partition(partition, flags, blocks[partition].length);
            run.write(blocks[partition], 0, blocks[partition].length);
            expected[partition] += blocks[partition].length;
          }
        }
        run.finish();
      }
      assertThat(output.commit()).isEqualTo(expected);
    }
  }

  /** A segment's bytes, every piece read in all ways and checked. */
  public static byte[] read(LocalSegment segment) throws IOException {
    byte[] all = new byte[Math.toIntExact(segment.length())];
    int at = 0;
    for (LocalSegment.Piece piece : segment.pieces()) {
      byte[] bytes = new byte[piece.length()];
      try (FileChannel channel = FileChannel.open(piece.file(), StandardOpenOption.READ)) {
        ByteBuffer into = ByteBuffer.wrap(bytes);
        while (into.hasRemaining()) {
          assertThat(channel.read(into, piece.fileOffset() + into.position())).isPositive();
        }
      }
      CRC32C crc = new CRC32C();
      crc.update(bytes);
      assertThat((int) crc.getValue()).isEqualTo(piece.crc());
      MemoryView view = piece.view();
      if (view != null) {
        byte[] mapped = new byte[piece.length()];
        view.getBytes(0, mapped, 0, mapped.length);
        assertThat(mapped).isEqualTo(bytes);
      }
      System.arraycopy(bytes, 0, all, at, bytes.length);
      at += bytes.length;
    }
    assertThat(at).isEqualTo(all.length);
    return all;
  }

  public static byte[] block(ShuffleLease lease, long mapId, int partition) throws IOException {
    byte[] all = new byte[0];
    for (LocalSegment segment : lease.block(mapId, partition).orElseThrow()) {
      byte[] more = read(segment);
      byte[] joined = Arrays.copyOf(all, all.length + more.length);
      System.arraycopy(more, 0, joined, all.length, more.length);
      all = joined;
    }
    return all;
  }

  /** Everything below a folder, to see that nothing is left. */
  public static List<Path> files(Path folder) throws IOException {
    try (var walk = Files.walk(folder)) {
      return walk.filter(path -> !path.equals(folder)).toList();
    }
  }
}
