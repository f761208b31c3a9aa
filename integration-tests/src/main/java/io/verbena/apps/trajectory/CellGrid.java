package io.verbena.apps.trajectory;

/** Cells of a box, none with an edge below the cutoff, numbered x first. */
final class CellGrid {
  private static final int MOST_ON_AN_AXIS = 1 << 16;

  private final Box box;
  private final int[] cells = new int[3];

  /**
   * @param atoms bounds the number of cells: more of them would be empty ones
   */
  CellGrid(Box box, double cutoff, int atoms) {
    this.box = box;
    for (int axis = 0; axis < 3; axis++) {
      double fitting = Math.floor(box.edge(axis) / cutoff);
      cells[axis] = (int) Math.max(1, Math.min(MOST_ON_AN_AXIS, fitting));
    }
    while ((long) cells[0] * cells[1] * cells[2] > atoms) {
      int widest = cells[0] >= cells[1] && cells[0] >= cells[2] ? 0 : cells[1] >= cells[2] ? 1 : 2;
      cells[widest] = cells[widest] / 2;
    }
  }

  int size() {
    return cells[0] * cells[1] * cells[2];
  }

  /** The cell of a wrapped position; beyond open boundaries the one next to it. */
  int cellOf(double x, double y, double z) {
    return number(place(0, x), place(1, y), place(2, z));
  }

  private int place(int axis, double coordinate) {
    double part = (coordinate - box.low(axis)) / box.edge(axis);
    return (int) Math.max(0, Math.min(cells[axis] - 1, Math.floor(part * cells[axis])));
  }

  private int number(int x, int y, int z) {
    return (x * cells[1] + y) * cells[2] + z;
  }

  /**
   * The cell that another one lies {@code offset} cells away from.
   *
   * @param shift set to what must be added to a position in {@code cell} to get the image that lies
   *     there as seen from the cell found
   * @return -1 when there is none, beyond an open boundary
   */
  int neighbour(int cell, int[] offset, double[] shift) {
    int[] place = {cell / (cells[1] * cells[2]), cell / cells[2] % cells[1], cell % cells[2]};
    for (int axis = 0; axis < 3; axis++) {
      place[axis] -= offset[axis];
      shift[axis] = 0;
      if (place[axis] < 0 || place[axis] >= cells[axis]) {
        if (!box.periodic(axis)) {
          return -1;
        }
        int around = place[axis] < 0 ? 1 : -1;
        place[axis] += around * cells[axis];
        shift[axis] = around * box.edge(axis);
      }
    }
    return number(place[0], place[1], place[2]);
  }
}
