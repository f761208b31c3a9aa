package io.verbena.bench;

import io.verbena.fetch.FetchStats;
import io.verbena.fetch.Peer;
import io.verbena.fetch.PeerBlocks;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * Main class of a process with the engines of several executors, and a reader that reads all of
 * them as if each were a process of its own.
 */
final class ScaleProbe implements AutoCloseable {
  private static final long POOL_LIMIT = 3L << 30;
  private static final int LEAST_REPETITIONS = 3;

  private final Path folder;
  private final List<VerbenaServer> executors = new ArrayList<>();
  private final byte[] array;
  private int shuffles;

  /** Times of one shuffle, written, read and removed; nanoseconds. */
  private record Times(long write, long first, long others) {}

  private ScaleProbe(Path folder, ScaleShape shape) throws IOException {
    this.folder = folder;
    this.array = new byte[shape.blockSize()];
    for (int i = 0; i < shape.executors(); i++) {
      executors.add(VerbenaServer.open(folderOf(i), POOL_LIMIT));
    }
  }

  /** Argument: a folder. */
  public static void main(String[] args) throws IOException {
    ChildLoop.run(words -> handle(Path.of(args[0]), words));
  }

  private static Object handle(Path folder, String[] words) throws IOException {
    if (!words[0].equals("measure")) {
      throw new IllegalArgumentException("unknown command: " + words[0]);
    }
    return measure(folder, Json.parse(words[1], ScaleShape.class), Long.parseLong(words[2]));
  }

  /**
   * Measures one shape.
   *
   * @param folder for what finds no room in memory; made when missing
   * @param millis least time
   */
  static ScalePoint measure(Path folder, ScaleShape shape, long millis) throws IOException {
    try (ScaleProbe probe = new ScaleProbe(folder, shape)) {
      return probe.measure(shape, TimeUnit.MILLISECONDS.toNanos(millis));
    }
  }

  private Path folderOf(int executor) {
    return folder.resolve("executor-" + executor);
  }

  /** Repeats the shuffle until the time is over; the first one finds the memory cold. */
  private ScalePoint measure(ScaleShape shape, long nanos) throws IOException {
    try (VerbenaSource cold = VerbenaSource.open(folder.resolve("reader"))) {
      repeat(shape, cold);
    }
    List<Times> times = new ArrayList<>();
    long start = System.nanoTime();
    FetchStats stats = FetchStats.NONE;
    while (times.size() < LEAST_REPETITIONS || System.nanoTime() - start < nanos) {
      // A new one each time: its first reduce task opens connections.
      try (VerbenaSource reader = VerbenaSource.open(folder.resolve("reader"))) {
        times.add(repeat(shape, reader));
        stats = reader.stats();
      }
    }
    return point(shape, times, stats);
  }

  private ScalePoint point(ScaleShape shape, List<Times> times, FetchStats stats)
      throws IOException {
    int shuffle = write(shape);
    double tableBytes = executors.stream().mapToLong(each -> each.stats().tableBytes()).sum();
    executors.forEach(each -> each.remove(shuffle));
    double reduce = Stats.median(times, Times::others) / (shape.reduces() - 1);
    return new ScalePoint(
        shape,
        Stats.median(times, Times::write) / shape.blocks(),
        reduce / shape.maps(),
        reduce / 1e3,
        Stats.median(times, Times::first) / 1e3,
        tableBytes / shape.blocks(),
        stats.transports().get("shm").reads() / (double) shape.reduces(),
        stats.tableReads() / (double) shape.reduces());
  }

  private Times repeat(ScaleShape shape, VerbenaSource reader) throws IOException {
    long start = System.nanoTime();
    int shuffle = write(shape);
    long written = System.nanoTime();
    for (int i = 0; i < executors.size(); i++) {
      reader.place(shuffle, name(i), executors.get(i).place(shuffle), folderOf(i));
    }
    long placed = System.nanoTime();
    read(shape, reader, shuffle, 0);
    long first = System.nanoTime();
    for (int reduce = 1; reduce < shape.reduces(); reduce++) {
      read(shape, reader, shuffle, reduce);
    }
    long end = System.nanoTime();
    executors.forEach(each -> each.remove(shuffle));
    return new Times(written - start, first - placed, end - first);
  }

  private int write(ScaleShape shape) throws IOException {
    int shuffle = shuffles++;
    for (VerbenaServer executor : executors) {
      executor.write(shuffle, shape.each());
    }
    return shuffle;
  }

  private void read(ScaleShape shape, VerbenaSource reader, int shuffle, int reduce)
      throws IOException {
    List<PeerBlocks> wanted = new ArrayList<>(executors.size());
    for (int i = 0; i < executors.size(); i++) {
      Peer peer = new Peer(name(i), "127.0.0.1", 0);
      wanted.add(VerbenaSource.wanted(peer, shape.each(), reduce));
    }
    long[] bytes = new long[1];
    reader.read(
        shuffle,
        wanted,
        (map, partition, stream) -> bytes[0] += stream.readNBytes(array, 0, array.length));
    long all = (long) shape.maps() * shape.blockSize();
    if (bytes[0] != all) {
      throw new BenchException("read " + bytes[0] + " of " + all + " bytes of " + shape.line());
    }
  }

  private static String name(int executor) {
    return Integer.toString(executor + 1);
  }

  @Override
  public void close() {
    executors.forEach(VerbenaServer::close);
  }
}
