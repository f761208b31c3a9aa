package io.verbena.bench;

import java.io.IOException;
import java.nio.file.Path;
import javax.management.JMException;

/**
 * Main class of a process that is an executor's engine and nothing else: its own map outputs and a
 * client that has read another's.
 */
final class HeapProbe {
  private static final int PARTITIONS_READ = 16;

  private final Path folder;
  private final FetchShape shape;
  private final long before;
  private VerbenaServer own;
  private VerbenaSource client;

  private HeapProbe(Path folder, FetchShape shape) {
    this.folder = folder;
    this.shape = shape;
    this.before = HeapUse.afterCollection();
  }

  /**
   * What the engine keeps.
   *
   * @param storeBytes heap more than before, with all map outputs published
   * @param allBytes the same, after the client has read
   * @param readingBytes the same, while a task holds the first of a partition's blocks
   * @param own objects of this project's classes
   */
  record Kept(long storeBytes, long allBytes, long readingBytes, HeapUse.Own own) {}

  /** Arguments: a folder, the pool's limit in bytes, block size, maps, partitions. */
  public static void main(String[] args) throws IOException {
    HeapProbe probe =
        new HeapProbe(
            Path.of(args[0]),
            new FetchShape(
                Integer.parseInt(args[2]), Integer.parseInt(args[3]), Integer.parseInt(args[4])));
    long limit = Long.parseLong(args[1]);
    ChildLoop.run(words -> probe.handle(words, limit));
    if (probe.client != null) {
      probe.client.close();
      probe.own.close();
    }
  }

  private Object handle(String[] words, long limit) throws IOException, JMException {
    return switch (words[0]) {
      case "measure" -> measure(limit, Path.of(words[1]), words[2]);
      case "stats" -> own.stats();
      default -> throw new IllegalArgumentException("unknown command: " + words[0]);
    };
  }

  private Kept measure(long limit, Path peerFolder, String place) throws IOException, JMException {
    own = VerbenaServer.open(folder.resolve("own"), limit);
    own.write(0, shape);
    long store = HeapUse.afterCollection() - before;
    client = VerbenaSource.open(folder.resolve("reader"));
    client.place(0, Json.parse(place, VerbenaServer.Place.class), peerFolder);
    for (int partition = 0; partition < PARTITIONS_READ; partition++) {
      client.read(
          0, shape, partition, (map, reduce, stream) -> stream.skipNBytes(shape.blockSize()));
    }
    long all = HeapUse.afterCollection() - before;
    long[] reading = new long[1];
    client.read(
        0,
        shape,
        PARTITIONS_READ,
        (map, reduce, stream) -> {
          if (reading[0] == 0) {
            reading[0] = HeapUse.afterCollection() - before;
          }
        });
    return new Kept(store, all, reading[0], HeapUse.own());
  }
}
