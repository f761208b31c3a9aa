package io.verbena.memory;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Gives a region on tmpfs huge pages just before they are first written, without any setting of an
 * administrator's. With 4 KiB pages a virtual machine read the file at 5 GB/s and touched a fresh
 * mapping at 0.3, with pages of 2 MiB at 20 and at 4. Where the kernel will not, pages stay small
 * and the region is written through its file.
 *
 * <p>Threads: any.
 */
final class HugePages {
  private static final Logger LOG = LoggerFactory.getLogger(HugePages.class);

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
    boolean possible =
        backing == Backing.TMPFS && mapping.aligned() && size % NativeMemory.hugePage() == 0;
    return possible ? new HugePages(mapping, name) : null;
  }

  /** Bytes of a huge page. */
  int page() {
    return page;
  }

  /** Bytes that the first {@code bytes} of the region take. */
  long rounded(long bytes) {
    return refused ? bytes : (bytes + page - 1) & -page;
  }

  /** Whether all bytes below {@code to} have huge pages now, so that memory may be touched. */
  boolean prepare(int to) {
    return to <= end || (!refused && extend(to));
  }

  /** Whether all bytes below {@code to} have huge pages. */
  boolean reach(int to) {
    return to <= end;
  }

  private synchronized boolean extend(int to) {
    if (to > end && !refused) {
      int length = Math.toIntExact(rounded((long) to - end));
      int errno = NativeMemory.collapse(mapping.bytes(), end, length, page);
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
