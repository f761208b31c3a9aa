package io.verbena.bench;

/** How often the reading process has read a round's bytes before. */
enum FetchPass {
  /** Never: the usual case, since shuffle bytes are read once. */
  COLD("cold"),
  /** Once. What a side does to be fast from then on, it does here. */
  SECOND("2nd"),
  /** Twice. */
  WARM("warm");

  private final String title;

  FetchPass(String title) {
    this.title = title;
  }

  String title() {
    return title;
  }
}
