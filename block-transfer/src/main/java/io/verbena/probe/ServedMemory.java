package io.verbena.probe;

import io.verbena.store.MapOutput;
import io.verbena.store.RemoteAccess;
import io.verbena.store.RunWriter;
import io.verbena.store.ShuffleDescriptor;
import io.verbena.store.ShuffleStore;
import io.verbena.store.StoreDescriptor;
import io.verbena.store.StoreSettings;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.List;
import java.util.SplittableRandom;

/**
 * A store whose first region is full of map outputs of one block each, for another process to read.
 *
 * <p>Threads: any.
 */
public final class ServedMemory implements AutoCloseable {
  /** The shuffle whose map outputs it holds. */
  public static final int SHUFFLE = 0;

  /** Bytes of a block, of which each map output has one. */
  public static final int BLOCK = 1 << 20;

  /** The region that is full of blocks. */
  static final int REGION = 0;

  private static final long SEED = 7;

  private final ShuffleStore store;

  private ServedMemory(ShuffleStore store) {
    this.store = store;
  }

  /**
   * Opens the store and fills its region.
   *
   * @param name distinguishes it in names of directories
   * @param regionSize bytes, a power of two of at least 16 blocks
   * @param backings as in {@link StoreSettings}
   * @param memoryDirectories as in {@link StoreSettings}
   * @param folder existing, for what finds no room in memory
   * @param remote the network adapter that others read through; closed after this
   */
  public static ServedMemory open(
      String name,
      int regionSize,
      List<String> backings,
      List<Path> memoryDirectories,
      Path folder,
      RemoteAccess remote)
      throws IOException {
    ShuffleStore store =
        ShuffleStore.open(
            new StoreSettings(
                name,
                2L * regionSize,
                0,
                regionSize,
                BLOCK,
                backings,
                memoryDirectories,
                List.of(folder),
                false,
                (shuffle, map, run) -> runFile(folder, shuffle, map, run),
                descriptor -> {},
                remote));
    try {
      ServedMemory served = new ServedMemory(store);
      served.fill(blocks(regionSize));
      return served;
    } catch (IOException | RuntimeException e) {
      store.close();
      throw e;
    }
  }

  /** Place of a run's file. */
  public static Path runFile(Path folder, int shuffle, long map, int run) {
    return folder.resolve("run-" + shuffle + "-" + map + "-" + run);
  }

  /** Map outputs in a region; what is left has room for the location table. */
  public static int blocks(int regionSize) {
    return regionSize / BLOCK - 2;
  }

  private void fill(int blocks) throws IOException {
    SplittableRandom random = new SplittableRandom(SEED);
    ByteBuffer block = ByteBuffer.allocate(BLOCK);
    for (int map = 0; map < blocks; map++) {
      for (int at = 0; at < BLOCK; at += Long.BYTES) {
        block.putLong(at, random.nextLong());
      }
      try (MapOutput output = store.newMapOutput(SHUFFLE, 1, map)) {
        RunWriter run = output.newRun();
        run.partition(0, 0, BLOCK);
        run.write(block.array(), 0, BLOCK);
        run.finish();
        output.commit();
      }
    }
  }

  /** What others need to reach the memory. */
  public StoreDescriptor descriptor() {
    return store.descriptor();
  }

  /** Where the shuffle lies in it. */
  public ShuffleDescriptor shuffle() {
    return store.describe(SHUFFLE).orElseThrow();
  }

  /** Name of the backing that the region lies on. */
  public String backing() {
    return store.stats().backing();
  }

  /** Removes all of it. Idempotent. */
  @Override
  public void close() {
    store.close();
  }
}
