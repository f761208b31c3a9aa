package io.verbena.bench;

import io.verbena.conf.RdmaConf;
import io.verbena.store.ShuffleStore;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * An executor's store with an empty folder of its own for what finds no room in memory, for a
 * benchmark.
 *
 * @param store closed by {@link #close}
 * @param folder removed by {@link #close}
 */
public record TemporaryStore(ShuffleStore store, Path folder) implements AutoCloseable {
  /** Opens one with a limit of its pool in bytes. */
  public static TemporaryStore open(long poolLimit) throws IOException {
    return open(poolLimit, Math.toIntExact(RdmaConf.defaults().chunkSize()));
  }

  /** The same with pieces of another size. */
  public static TemporaryStore open(long poolLimit, int chunkSize) throws IOException {
    Path folder = Files.createTempDirectory("micro-");
    try {
      return new TemporaryStore(
          ShuffleStore.open(VerbenaEngine.settings("micro", folder, poolLimit, chunkSize)), folder);
    } catch (IOException | RuntimeException e) {
      Files.delete(folder);
      throw e;
    }
  }

  @Override
  public void close() throws IOException {
    store.close();
    Files.delete(folder);
  }
}
