package io.verbena.bench;

/** Ways for a block from one process into another on the same host. */
enum FetchSide {
  /** One-sided reads of the owner's pool. */
  VERBENA("Verbena shm"),
  /** Spark's block transfer service over loopback. */
  NETTY("Spark network"),
  /** The owner's shuffle files, in the page cache, opened by the reader. */
  DISK("Spark host-local");

  private final String title;

  FetchSide(String title) {
    this.title = title;
  }

  String title() {
    return title;
  }
}
