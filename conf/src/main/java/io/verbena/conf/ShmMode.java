package io.verbena.conf;

/** How the {@code shm} transport reads a neighbour's region file. */
public enum ShmMode implements DocumentedValue {
  /** By the backing. */
  AUTO("`mapped` on hugetlbfs, else `read`"),

  /** Through a mapping of the file. */
  MAPPED("through a mapping: fastest on memory that was read before"),

  /** With positional reads into a reused buffer. */
  READ("with `pread` into a reused buffer: fastest on memory that is read once");

  private final String doc;

  ShmMode(String doc) {
    this.doc = doc;
  }

  @Override
  public String doc() {
    return doc;
  }
}
