package io.verbena.bench;

import io.verbena.store.MapOutput;
import io.verbena.store.RunWriter;
import io.verbena.store.ShuffleDescriptor;
import io.verbena.store.ShuffleStore;
import io.verbena.store.StoreDescriptor;
import io.verbena.store.StoreStats;
import java.io.IOException;
import java.nio.file.Path;

/**
 * Holds blocks in a store's pool, for another process to read; main class of the process that does
 * only that.
 */
final class VerbenaServer implements AutoCloseable {
  static final String EXECUTOR_ID = "1";

  private final ShuffleStore store;

  private VerbenaServer(ShuffleStore store) {
    this.store = store;
  }

  /** What a reader needs to find a shuffle in this process's memory. */
  record Place(StoreDescriptor store, ShuffleDescriptor shuffle) {}

  /** Arguments: a folder for what finds no room in the pool, and the pool's limit in bytes. */
  public static void main(String[] args) throws IOException {
    try (VerbenaServer server = open(Path.of(args[0]), Long.parseLong(args[1]))) {
      ChildLoop.run(server::handle);
    }
  }

  static VerbenaServer open(Path folder, long poolLimit) throws IOException {
    return new VerbenaServer(
        ShuffleStore.open(VerbenaEngine.settings("bench-server", folder, poolLimit)));
  }

  /** Drops a shuffle; its memory stays for the next. */
  void remove(int shuffle) {
    store.removeShuffle(shuffle);
  }

  private Object handle(String[] words) throws IOException {
    return switch (words[0]) {
      case "write" ->
          write(
              Integer.parseInt(words[1]),
              new FetchShape(
                  Integer.parseInt(words[2]),
                  Integer.parseInt(words[3]),
                  Integer.parseInt(words[4])));
      case "remove" -> {
        remove(Integer.parseInt(words[1]));
        yield "removed";
      }
      case "stats" -> stats();
      default -> throw new IllegalArgumentException("unknown command: " + words[0]);
    };
  }

  StoreStats stats() {
    return store.stats();
  }

  /** Writes and publishes all map outputs of a shuffle. */
  Place write(int shuffle, FetchShape shape) throws IOException {
    byte[] block = new byte[shape.blockSize()];
    for (int map = 0; map < shape.maps(); map++) {
      try (MapOutput output = store.newMapOutput(shuffle, shape.partitions(), map)) {
        RunWriter run = output.newRun();
        for (int partition = 0; partition < shape.partitions(); partition++) {
          BlockData.fill(block, shuffle, map, partition);
          run.partition(partition, 0, block.length);
          run.write(block, 0, block.length);
        }
        run.finish();
        output.commit();
      }
    }
    StoreStats stats = store.stats();
    if (stats.runsOnDisk() > 0) {
      throw new BenchException("the pool is too small for this benchmark: " + stats);
    }
    return place(shuffle);
  }

  /** Where a shuffle lies that was written. */
  Place place(int shuffle) throws IOException {
    return new Place(store.descriptor(), store.describe(shuffle).orElseThrow());
  }

  @Override
  public void close() {
    store.close();
  }
}
