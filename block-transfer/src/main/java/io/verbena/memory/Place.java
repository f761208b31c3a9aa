package io.verbena.memory;

import io.verbena.host.HostFiles;
import java.io.IOException;
import java.nio.file.Path;
import java.util.OptionalLong;

/**
 * A directory in which regions may be made.
 *
 * @param backing what it lies on
 * @param index its index in the executor's descriptor
 * @param directory this executor's own directory in it
 * @param pageSize bytes of a page
 * @param registered whether regions are registered with a network adapter, which pins them
 */
record Place(
    Backing backing, int index, OwnedDirectory directory, int pageSize, boolean registered) {
  /** Whether a region takes its whole space at once: mapping or registering it does that. */
  boolean reservesWhole() {
    return isHugetlbfs() || registered;
  }

  /** Whether files can only be written through a mapping. */
  boolean isHugetlbfs() {
    return backing == Backing.HUGETLBFS;
  }

  Path path() {
    return directory.path();
  }

  /** Fails when there is less space than {@code bytes}; the message says what to do. */
  void checkRoom(long bytes) throws IOException {
    checkRoom(HostFiles.thisHost(), backing, path(), bytes);
  }

  /** Fails when there is less space than {@code bytes}; the message says what to do. */
  static void checkRoom(HostFiles host, Backing backing, Path path, long bytes) throws IOException {
    if (backing == Backing.HUGETLBFS) {
      // Its file system reports no free space; mapping the file tells.
      return;
    }
    long usable = host.space(path.toString()).usable();
    if (usable < bytes) {
      String advice =
          backing == Backing.TMPFS
              ? "mount it larger (docker run --shm-size, mount -o remount,size=) or make regions"
                  + " smaller"
              : "free space there or choose another local directory";
      throw new IOException(
          path
              + " has "
              + Sizes.text(usable)
              + " free, "
              + Sizes.text(bytes)
              + " are needed: "
              + advice);
    }
  }

  /** Fails when a region cannot lie on huge pages of that size; the message says what to do. */
  static void checkHugePages(HostFiles host, Path root, int pageSize, int regionSize)
      throws IOException {
    if (regionSize % pageSize != 0) {
      throw new IOException(
          "a region of " + regionSize + " bytes is no multiple of its pages of " + pageSize);
    }
    OptionalLong free =
        host.number("/sys/kernel/mm/hugepages/hugepages-" + pageSize / 1024 + "kB/free_hugepages");
    if (free.isPresent() && free.getAsLong() * pageSize < regionSize) {
      throw new IOException(
          root
              + " has "
              + free.getAsLong()
              + " free huge pages, a region needs "
              + regionSize / pageSize
              + ": sysctl vm.nr_hugepages=N reserves more");
    }
  }
}
