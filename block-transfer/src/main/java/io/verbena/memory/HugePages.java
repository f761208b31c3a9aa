package io.verbena.memory;

import io.verbena.log.KeyedLogger;

/**
 * Gives a region on tmpfs huge pages just before they are first written, without any setting of an
 * administrator's. With 4 KiB pages a virtual machine read the file at 5 GB/s and touched a fresh
 * mapping at 0.3, with pages of 2 MiB at 20 and at 4. Where the kernel will not, pages stay small
 * and the region is written through its file.
 *
 * <p>Threads: any.
 */
final class HugePages {
  private static final KeyedLogger LOG = KeyedLogger.of(HugePages.class);

  /** The kernel's number for: somebody holds a page just now. */
  private static final int EAGAIN = 11;

  private static final int TRIES = 3;

  private final Mapping mapping;
  private final String name;
  private final int page = NativeMemory.hugePage();

  // Bytes from the start that have huge pages; those after it have none.
  private volatile int end;
  private volatile boolean refused;

  private HugePages(Mapping mapping, String name) {
    this.mapping = mapping;
    this.name = name;
  }

  /** Huge pages for a mapping; null where there are none to be had. */
  static HugePages of(Mapping mapping, Backing backing, String name) {
    int size = mapping.bytes().capacity();
    boolean possible = mapping.aligned() && atLeast(backing, size, 1) > 1;
    return possible ? new HugePages(mapping, name) : null;
  }

  /** Bytes of a huge page. */
  int page() {
    return page;
  }

  /** Bytes that a region takes at least when its first {@code bytes} are used. */
  static long atLeast(Backing backing, int regionSize, long bytes) {
    boolean huge =
        backing == Backing.TMPFS
            && NativeMemory.available()
            && regionSize % NativeMemory.hugePage() == 0;
    return huge ? rounded(bytes, NativeMemory.hugePage()) : bytes;
  }

  /** Bytes that this region takes when its first {@code bytes} are used. */
  long taken(long bytes) {
    return Math.max(end, refused ? bytes : rounded(bytes, page));
  }

  private static long rounded(long bytes, int page) {
    return (bytes + page - 1) & -page;
  }

  /** Whether all bytes below {@code to} have huge pages now, so that memory may be touched. */
  boolean prepare(int to) {
    return to <= end || (!refused && extend(to));
  }

  /** Bytes from the start that have huge pages. */
  int end() {
    return end;
  }

  private synchronized boolean extend(int to) {
    if (to > end && !refused) {
      int length = Math.toIntExact(rounded((long) to - end, page));
      int errno = EAGAIN;
      for (int i = 0; i < TRIES && errno == EAGAIN; i++) {
        errno = NativeMemory.collapse(mapping.bytes(), end, length, page);
      }
      if (errno == 0) {
        end += length;
      } else {
        refused = true;
        LOG.info("{} goes on with small pages from byte {}: errno {}", name, end, errno);
      }
    }
    return to <= end;
  }
}
