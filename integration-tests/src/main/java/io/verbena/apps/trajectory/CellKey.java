package io.verbena.apps.trajectory;

import java.io.Serializable;

/** A cell of one copy of the system in a frame. Sorts by frame, copy, cell. */
final class CellKey implements Serializable, Comparable<CellKey> {
  private static final long serialVersionUID = 1L;

  final int frame;
  final int copy;
  final int cell;

  CellKey(int frame, int copy, int cell) {
    this.frame = frame;
    this.copy = copy;
    this.cell = cell;
  }

  @Override
  public int compareTo(CellKey other) {
    if (frame != other.frame) {
      return Integer.compare(frame, other.frame);
    }
    return copy != other.copy
        ? Integer.compare(copy, other.copy)
        : Integer.compare(cell, other.cell);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof CellKey o && frame == o.frame && copy == o.copy && cell == o.cell;
  }

  @Override
  public int hashCode() {
    return 31 * (31 * frame + copy) + cell;
  }
}
