package io.verbena.conf;

/** How the {@code shm} transport reads a neighbour's region file. */
public enum ShmMode implements DocumentedValue {
  /** By the size of pages. */
  AUTO("`mapped` for small reads of regions in huge pages, else `read`"),

  /** Through a mapping of the file. */
  MAPPED("through a mapping: fastest on huge pages"),

  /** With positional reads into a reused buffer. */
  READ("with `pread` into a reused buffer: fastest on 4 KiB pages that are read once");

  private final String doc;

  ShmMode(String doc) {
    this.doc = doc;
  }

  @Override
  public String doc() {
    return doc;
  }
}
