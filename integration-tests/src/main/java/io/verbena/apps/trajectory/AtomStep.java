package io.verbena.apps.trajectory;

import java.io.Serializable;

/** An atom in a frame. Sorts by atom, then by time. */
final class AtomStep implements Serializable, Comparable<AtomStep> {
  private static final long serialVersionUID = 1L;

  final long atom;
  final int frame;

  AtomStep(long atom, int frame) {
    this.atom = atom;
    this.frame = frame;
  }

  @Override
  public int compareTo(AtomStep other) {
    int byAtom = Long.compare(atom, other.atom);
    return byAtom != 0 ? byAtom : Integer.compare(frame, other.frame);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof AtomStep o && atom == o.atom && frame == o.frame;
  }

  @Override
  public int hashCode() {
    return 31 * Long.hashCode(atom) + frame;
  }
}
