package io.verbena.memory;

import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;

/** What a region's file lies on, best first. */
public enum Backing {
  /** Reserved huge pages: written through the mapping, the only way that hugetlbfs has. */
  HUGETLBFS(0),
  /** Memory as a file system: written through the file. */
  TMPFS(1),
  /** A local directory on disk: page cache that the kernel may write back and reclaim. */
  DISK(2);

  private final int code;

  Backing(int code) {
    this.code = code;
  }

  /** What stands for it in region records. */
  public int code() {
    return code;
  }

  /** The name in options, statistics and messages. */
  public String optionName() {
    return name().toLowerCase(Locale.ROOT);
  }

  /**
   * The backing of that name.
   *
   * @throws IllegalArgumentException when there is none; the message lists the names
   */
  public static Backing named(String name) {
    for (Backing backing : values()) {
      if (backing.optionName().equals(name)) {
        return backing;
      }
    }
    throw new IllegalArgumentException(
        "backing="
            + name
            + ": allowed are "
            + Arrays.stream(values()).map(Backing::optionName).collect(Collectors.joining(", ")));
  }
}
