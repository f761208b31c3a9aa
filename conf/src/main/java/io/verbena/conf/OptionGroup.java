package io.verbena.conf;

/** Sections of the reference page, in order. */
enum OptionGroup {
  TRANSPORTS("Transports"),
  VERBS("RDMA devices"),
  POOL("Memory pool"),
  STORING("Storing map outputs"),
  FETCHING("Fetching"),
  CHECKS("Checks");

  private final String title;

  OptionGroup(String title) {
    this.title = title;
  }

  String title() {
    return title;
  }
}
