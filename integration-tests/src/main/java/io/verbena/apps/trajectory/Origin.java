package io.verbena.apps.trajectory;

import java.io.Serializable;
import java.util.Comparator;
import java.util.Objects;

/** Place of a frame: a file, the part of it that one task read, and a count from zero in there. */
final class Origin implements Serializable, Comparable<Origin> {
  private static final long serialVersionUID = 1L;
  private static final Comparator<Origin> ORDER =
      Comparator.comparing((Origin o) -> o.file)
          .thenComparingLong(o -> o.splitStart)
          .thenComparingInt(o -> o.frame);

  final String file;
  final long splitStart;
  final int frame;

  Origin(String file, long splitStart, int frame) {
    this.file = file;
    this.splitStart = splitStart;
    this.frame = frame;
  }

  /** Orders as the frames lie in the input. */
  @Override
  public int compareTo(Origin other) {
    return ORDER.compare(this, other);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Origin o && compareTo(o) == 0;
  }

  @Override
  public int hashCode() {
    return Objects.hash(file, splitStart, frame);
  }
}
