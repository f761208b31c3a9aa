package io.verbena.store;

import java.nio.file.Path;
import java.util.List;

/**
 * What a store is opened with. Values are checked by whoever reads the configuration; sizes are
 * bytes.
 *
 * @param name distinguishes this process in directory names: application and executor id
 * @param poolLimit bytes that run data may take in memory backings; 0 derives it from the machine
 *     and {@code memoryHint}
 * @param memoryHint bytes of the container's or executor's memory overhead, 0 when unknown
 * @param regionSize bytes of one region, a power of two
 * @param chunkSize bytes of the largest piece with a checksum of its own, a power of two, at most
 *     1/16 of {@code regionSize}
 * @param backings names of backings to try, best first: {@code hugetlbfs}, {@code tmpfs}, {@code
 *     disk}
 * @param memoryDirectories directories for the memory backings instead of the detected mounts;
 *     empty detects
 * @param localDirectories directories on disk for the disk backing, existing and writable
 * @param prefault whether to make the next region before the current one is full
 * @param runFiles names the files of runs that find no room in the pool
 * @param announcer is asked before a shuffle's first map output here is published
 * @param remote the network adapter that peers read through; stays open as long as the store
 */
public record StoreSettings(
    String name,
    long poolLimit,
    long memoryHint,
    int regionSize,
    int chunkSize,
    List<String> backings,
    List<Path> memoryDirectories,
    List<Path> localDirectories,
    boolean prefault,
    RunFiles runFiles,
    Announcer announcer,
    RemoteAccess remote) {

  /** Places of run files. The same answer for the same run on every executor of this host. */
  @FunctionalInterface
  public interface RunFiles {
    /** The file of a run; its folder exists. */
    Path file(int shuffleId, long mapId, int run);
  }

  /** Tells the registry of a shuffle's place before anything of it can be looked up. */
  @FunctionalInterface
  public interface Announcer {
    /**
     * Called once per shuffle and generation, on the thread of the first commit.
     *
     * @throws ShuffleGoneException when nobody needs the shuffle any more
     * @throws java.io.IOException when the registry refuses or does not answer in time; the commit
     *     fails with it and leaves nothing
     */
    void announce(ShuffleDescriptor descriptor) throws java.io.IOException;
  }
}
