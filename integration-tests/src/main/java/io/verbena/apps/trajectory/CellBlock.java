package io.verbena.apps.trajectory;

import java.io.Serializable;

/** The atoms of one cell, sent to that cell or to a neighbour of it. */
final class CellBlock implements Serializable {
  private static final long serialVersionUID = 1L;

  /** Whether the receiving cell is the one that the atoms are in. */
  final boolean home;

  /** x, y, z of each atom; of neighbours the image that is next to the receiving cell. */
  final double[] positions;

  CellBlock(boolean home, double[] positions) {
    this.home = home;
    this.positions = positions;
  }
}
