package io.verbena.apps.trajectory;

/** Takes the positions of one atom after another in order of time, unwraps them, and adds up. */
final class AtomPath {
  private final FrameTable table;
  private final DisplacementSums sums;
  private final double[][] path;
  private long atom;
  private int frames;

  AtomPath(FrameTable table, DisplacementSums sums) {
    this.table = table;
    this.sums = sums;
    this.path = new double[3][table.size()];
  }

  /** Keys come sorted. */
  void add(AtomStep key, Position position) {
    if (key.atom != atom) {
      finishAtom();
      atom = key.atom;
    }
    if (key.frame == frames) {
      path[0][frames] = position.x;
      path[1][frames] = position.y;
      path[2][frames] = position.z;
      frames++;
    }
    // Else a frame is missing and the count never becomes complete.
  }

  /** Ends the last atom; does nothing when there is none. */
  void finishAtom() {
    if (frames == table.size()) {
      sums.atomDone(table.unwrapped() ? 0 : unwrap());
      addFromFirst();
      addByLag();
    } else if (atom > 0) {
      sums.atomIncomplete(atom, frames);
    }
    atom = 0;
    frames = 0;
  }

  /**
   * Follows the atom over the boundaries: between two frames it is taken to have gone the shortest
   * way. The image is counted and no distances are summed, so that no error builds up.
   *
   * @return longest of those ways along one axis, as a part of the box edge
   */
  private double unwrap() {
    double largest = 0;
    for (int axis = 0; axis < 3; axis++) {
      double[] coordinate = path[axis];
      double image = 0;
      double previous = coordinate[0];
      for (int i = 1; i < coordinate.length; i++) {
        Box box = table.box(i);
        if (!box.periodic(axis)) {
          continue;
        }
        double wrapped = coordinate[i];
        double step = (wrapped - previous) / box.edge(axis);
        double crossed = Math.rint(step);
        image -= crossed;
        coordinate[i] = wrapped + image * box.edge(axis);
        previous = wrapped;
        largest = Math.max(largest, Math.abs(step - crossed));
      }
    }
    return largest;
  }

  private void addFromFirst() {
    for (int i = 0; i < path[0].length; i++) {
      sums.fromFirst[i].add(squaredDistance(0, i));
    }
  }

  /** One rounded sum per atom and lag, always in the order of time; sums over atoms are exact. */
  private void addByLag() {
    for (int lag = 0; lag < sums.byLag.length; lag++) {
      double sum = 0;
      for (int i = lag; i < path[0].length; i++) {
        sum += squaredDistance(i - lag, i);
      }
      sums.byLag[lag].add(sum);
    }
  }

  private double squaredDistance(int from, int to) {
    double x = path[0][to] - path[0][from];
    double y = path[1][to] - path[1][from];
    double z = path[2][to] - path[2][from];
    return x * x + y * y + z * z;
  }
}
