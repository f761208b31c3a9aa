package io.verbena.conf;

/** What a region file lies on. Declared best first: the default order. */
public enum BackingKind implements DocumentedValue {
  /** Reserved huge pages. */
  HUGETLBFS("huge pages from a hugetlbfs mount; needs pages reserved by an administrator"),

  /** Shared memory of the host. */
  TMPFS("shared memory, `/dev/shm` unless directories are given"),

  /** Page cache and disk. */
  DISK("mapped files in Spark's local directories");

  private final String doc;

  BackingKind(String doc) {
    this.doc = doc;
  }

  @Override
  public String doc() {
    return doc;
  }
}
