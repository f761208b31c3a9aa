package io.verbena.apps.trajectory;

/** A part of a file was read to its end; its frames and lines, to number those of later parts. */
final class SplitEnd implements ReadItem {
  private static final long serialVersionUID = 1L;

  private final Origin origin;
  final long lines;

  /**
   * @param origin with the number of frames as its frame
   */
  SplitEnd(Origin origin, long lines) {
    this.origin = origin;
    this.lines = lines;
  }

  @Override
  public Origin origin() {
    return origin;
  }

  int frames() {
    return origin.frame;
  }
}
