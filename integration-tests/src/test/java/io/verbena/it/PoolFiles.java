package io.verbena.it;

import io.verbena.it.cluster.Await;
import io.verbena.it.cluster.StandaloneCluster;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** What executors keep in {@code /dev/shm} and in Spark's local directories, seen from outside. */
final class PoolFiles {
  static final Path SHM = Path.of("/dev/shm");

  private PoolFiles() {}

  /** Folders in a root that executors of an application have made, or one executor's. */
  static List<Path> folders(Path root, String name) {
    List<Path> found = new ArrayList<>();
    try (Stream<Path> users = Files.list(root)) {
      for (Path user :
          users.filter(each -> each.getFileName().toString().startsWith("verbena-")).toList()) {
        try (Stream<Path> folders = Files.list(user)) {
          folders
              .filter(each -> each.getFileName().toString().startsWith(name + "-"))
              .forEach(found::add);
        } catch (IOException e) {
          if (Files.exists(user)) {
            throw e;
          }
        }
      }
      return found;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Every file below a folder whose name says that it is of this project. */
  static List<Path> ours(Path root) {
    try (Stream<Path> files = Files.walk(root)) {
      return files
          .filter(each -> each.getFileName().toString().startsWith("verbena-"))
          .filter(each -> !each.equals(root))
          .toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * Waits until nothing of this project is left below a worker's local directory. What an executor
   * that was killed left in its own of Spark's folders goes with these, which the worker removes in
   * the background once the application has ended.
   */
  static void awaitNoneOfOurs(Path root, Duration limit) throws InterruptedException {
    Await.until(
        "the worker to remove what is left in " + root,
        limit,
        () -> {
          try {
            return ours(root).isEmpty();
          } catch (UncheckedIOException e) {
            if (e.getCause() instanceof NoSuchFileException) {
              // Removed while it was listed.
              return false;
            }
            throw e;
          }
        });
  }

  /** The region files of an executor. */
  static List<Path> regions(String appId, String executorId) throws IOException {
    List<Path> regions = new ArrayList<>();
    for (Path folder : folders(SHM, appId + "-" + executorId)) {
      try (Stream<Path> files = Files.list(folder)) {
        files
            .filter(each -> each.getFileName().toString().startsWith("region-"))
            .forEach(regions::add);
      }
    }
    return regions;
  }

  /** A place in a file. */
  record Place(Path file, int offset) {
    /** Changes one bit of the byte that lies {@code distance} further. */
    void flip(int distance, int bit) throws IOException {
      try (RandomAccessFile bytes = new RandomAccessFile(file.toFile(), "rw")) {
        bytes.seek((long) offset + distance);
        int before = bytes.read();
        bytes.seek((long) offset + distance);
        bytes.write(before ^ 1 << bit);
      }
    }
  }

  /** Where bytes stand in an executor's regions: the only place, or an error. */
  static Place find(String appId, String executorId, byte[] bytes) throws IOException {
    return find(
        appId,
        executorId,
        new String(bytes, StandardCharsets.US_ASCII),
        1,
        (memory, at) -> matches(memory, at, bytes));
  }

  /** The run files of a shuffle, of all executors of an application that runs. */
  static List<Path> runFiles(StandaloneCluster cluster, String appId, int shuffleId) {
    List<Path> files = new ArrayList<>();
    for (Path folder : cluster.localDirs(appId)) {
      for (Path file : ours(folder)) {
        String name = file.getFileName().toString();
        if (name.startsWith("verbena-" + shuffleId + "-") && name.endsWith(".run")) {
          files.add(file);
        }
      }
    }
    return files;
  }

  /**
   * Where the first of some markers that are in a shuffle's run files at all stands in them.
   *
   * @throws AssertionError when none is
   */
  static Place findInRunFile(
      StandaloneCluster cluster, String appId, int shuffleId, Stream<byte[]> markers)
      throws IOException {
    List<Path> files = runFiles(cluster, appId, shuffleId);
    List<String> texts = new ArrayList<>();
    for (Path file : files) {
      texts.add(Files.readString(file, StandardCharsets.ISO_8859_1));
    }
    return markers
        .map(marker -> new String(marker, StandardCharsets.US_ASCII))
        .flatMap(
            marker ->
                IntStream.range(0, texts.size())
                    .filter(i -> texts.get(i).contains(marker))
                    .mapToObj(i -> new Place(files.get(i), texts.get(i).indexOf(marker))))
        .findFirst()
        .orElseThrow(() -> new AssertionError("no record stands in " + files));
  }

  private static boolean matches(ByteBuffer memory, int at, byte[] bytes) {
    if (at + bytes.length > memory.capacity()) {
      return false;
    }
    for (int i = 0; i < bytes.length; i++) {
      if (memory.get(at + i) != bytes[i]) {
        return false;
      }
    }
    return true;
  }

  /** Where the first tile of the location table of a shuffle begins. */
  static Place findTile(String appId, String executorId, int shuffleId) throws IOException {
    return find(
        appId,
        executorId,
        "a tile of shuffle " + shuffleId,
        Integer.BYTES,
        (memory, at) ->
            at + 64 <= memory.capacity()
                && memory.getInt(at) == 0x7e4be4a1
                && memory.getInt(at + 8) == shuffleId
                && memory.getInt(at + 28) == 0);
  }

  private interface Match {
    boolean at(ByteBuffer memory, int at);
  }

  private static Place find(String appId, String executorId, String what, int step, Match match)
      throws IOException {
    List<Place> found = new ArrayList<>();
    for (Path region : regions(appId, executorId)) {
      ByteBuffer memory = read(region);
      IntPredicate here = at -> match.at(memory, at);
      for (int at = 0; at < memory.capacity(); at += step) {
        if (here.test(at)) {
          found.add(new Place(region, at));
        }
      }
    }
    if (found.size() != 1) {
      throw new AssertionError(
          what + " stands at " + found + " in the regions of executor " + executorId);
    }
    return found.get(0);
  }

  private static ByteBuffer read(Path file) throws IOException {
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
      ByteBuffer memory = ByteBuffer.allocate(Math.toIntExact(channel.size()));
      while (memory.hasRemaining() && channel.read(memory) >= 0) {
        // Until all of it is read.
      }
      return memory.order(ByteOrder.nativeOrder());
    }
  }
}
