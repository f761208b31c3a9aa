package io.verbena.fetch;

import io.verbena.store.MapOutput;
import io.verbena.store.RemoteAccess;
import io.verbena.store.RunWriter;
import io.verbena.store.ShuffleStore;
import io.verbena.store.StoreSettings;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Real stores, as executors have them, with the registry that they announce to. */
final class Stores implements AutoCloseable, PeerDirectory {
  static final int CHUNK = 64 << 10;
  static final int REGION = 4 << 20;

  private final Path root;
  private final Map<String, ShuffleStore> stores = new HashMap<>();
  private boolean sameHost = true;

  Stores(Path root) {
    this.root = root;
  }

  Path runFile(int shuffleId, long mapId, int run) {
    return root.resolve("runs").resolve(shuffleId + "-" + mapId + "-" + run);
  }

  ShuffleStore open(String executorId, long limit) throws IOException {
    return open(executorId, limit, RemoteAccess.NONE);
  }

  /** A store that is read through a network adapter too. */
  ShuffleStore open(String executorId, long limit, RemoteAccess remote) throws IOException {
    Path memory = Files.createDirectories(root.resolve("memory-" + executorId));
    Path local = Files.createDirectories(root.resolve("local-" + executorId));
    Files.createDirectories(root.resolve("runs"));
    ShuffleStore store =
        ShuffleStore.open(
            new StoreSettings(
                "app-" + executorId,
                limit,
                0,
                REGION,
                CHUNK,
                List.of("tmpfs"),
                List.of(memory),
                List.of(local),
                true,
                this::runFile,
                descriptor -> {},
                remote));
    stores.put(executorId, store);
    return store;
  }

  /** Publishes one map output: {@code runs[run][partition]}. */
  static void write(ShuffleStore store, int shuffleId, long mapId, int flags, byte[][]... runs)
      throws IOException {
    try (MapOutput output = store.newMapOutput(shuffleId, runs[0].length, mapId)) {
      for (byte[][] blocks : runs) {
        RunWriter run = output.newRun();
        for (int partition = 0; partition < blocks.length; partition++) {
          if (blocks[partition].length > 0) {
            run.partition(partition, flags, blocks[partition].length);
            run.write(blocks[partition], 0, blocks[partition].length);
          }
        }
        run.finish();
      }
      output.commit();
    }
  }

  /** From now on all executors are said to run on other hosts than whoever looks them up. */
  void onOtherHosts() {
    sameHost = false;
  }

  @Override
  public Map<String, Found> lookup(int shuffleId, List<String> executorIds) {
    Map<String, Found> found = new HashMap<>();
    for (String id : executorIds) {
      ShuffleStore store = stores.get(id);
      if (store != null) {
        store
            .describe(shuffleId)
            .ifPresent(
                shuffle ->
                    found.put(id, new Found(store.descriptor(), shuffle, this::runFile, sameHost)));
      }
    }
    return found;
  }

  @Override
  public void close() {
    new ArrayList<>(stores.values()).forEach(ShuffleStore::close);
  }

  /** Changes a bit in each header of a shuffle's directory, tiles and rows; counts them. */
  static int damageHeaders(ShuffleStore store, int shuffle) throws IOException {
    int damaged = 0;
    for (String folder : store.descriptor().directories()) {
      Path file = Path.of(folder, "region-0");
      if (Files.exists(file)) {
        ByteBuffer bytes = ByteBuffer.wrap(Files.readAllBytes(file)).order(ByteOrder.nativeOrder());
        try (RandomAccessFile region = new RandomAccessFile(file.toFile(), "rw")) {
          for (int at = 0; at + 64 <= bytes.capacity(); at += Integer.BYTES) {
            if (isHeader(bytes, at, shuffle)) {
              region.seek(at);
              region.write(bytes.get(at) ^ 1);
              damaged++;
            }
          }
        }
      }
    }
    return damaged;
  }

  private static boolean isHeader(ByteBuffer bytes, int at, int shuffle) {
    int magic = bytes.getInt(at);
    boolean row = magic == 0x7e4be4a2 && bytes.getInt(at + 4) == shuffle;
    boolean block = (magic == 0x7e4be4a1 || magic == 0x7e4be4a3) && bytes.getInt(at + 8) == shuffle;
    return row || block;
  }
}
