package io.verbena.store;

import java.io.IOException;
import java.util.Optional;

/**
 * All map outputs that this executor holds: the pool, the control area and the location table of
 * every shuffle. One per process.
 *
 * <p>Threads: all methods may be called from any thread.
 */
public final class ShuffleStore implements AutoCloseable {
  /**
   * Makes the executor's directories, its control area and its pool, and removes what dead
   * processes of this user left in the same places.
   *
   * @throws IOException when no backing can hold even the control area
   */
  public static ShuffleStore open(StoreSettings settings) throws IOException {
    return new ShuffleStore();
  }

  /** What peers need to reach this store's memory. */
  public StoreDescriptor descriptor() {
    throw new UnsupportedOperationException();
  }

  /**
   * Begins a map output. The caller closes it; an output closed before its commit leaves nothing.
   *
   * @param mapId the task attempt id, unique in the application
   */
  public MapOutput newMapOutput(int shuffleId, int partitions, long mapId) {
    throw new UnsupportedOperationException();
  }

  /** Where this store's part of a shuffle lies; empty when no map output of it was published. */
  public Optional<ShuffleDescriptor> describe(int shuffleId) {
    throw new UnsupportedOperationException();
  }

  /**
   * Holds a shuffle's memory and files for a reader in this process; empty when nothing of it is
   * here. While a lease is held the shuffle may be removed, but its memory is not reused.
   */
  public Optional<ShuffleLease> lease(int shuffleId) {
    throw new UnsupportedOperationException();
  }

  /** Removes a shuffle; an unknown one is no error. Readers of other processes see it at once. */
  public void removeShuffle(int shuffleId) {
    throw new UnsupportedOperationException();
  }

  /** Figures for metrics and reports. */
  public StoreStats stats() {
    throw new UnsupportedOperationException();
  }

  /** Removes everything, files and directories included. Idempotent. */
  @Override
  public void close() {
    throw new UnsupportedOperationException();
  }
}
