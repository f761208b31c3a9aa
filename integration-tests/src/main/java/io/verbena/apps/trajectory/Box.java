package io.verbena.apps.trajectory;

import java.io.Serializable;

/** An orthogonal simulation box; lengths in the units of the trajectory. */
final class Box implements Serializable {
  private static final long serialVersionUID = 1L;
  private static final String[] AXES = {"x", "y", "z"};

  private final double[] low;
  private final double[] edge;
  private final boolean[] periodic;

  /** Takes the arrays over, three values each. */
  Box(double[] low, double[] edge, boolean[] periodic) {
    this.low = low;
    this.edge = edge;
    this.periodic = periodic;
  }

  double low(int axis) {
    return low[axis];
  }

  double edge(int axis) {
    return edge[axis];
  }

  boolean periodic(int axis) {
    return periodic[axis];
  }

  double volume() {
    return edge[0] * edge[1] * edge[2];
  }

  static String axisName(int axis) {
    return AXES[axis];
  }

  /** The image of a coordinate that lies in the box; along open axes the coordinate itself. */
  double wrap(int axis, double coordinate) {
    if (!periodic[axis]) {
      return coordinate;
    }
    return coordinate - Math.floor((coordinate - low[axis]) / edge[axis]) * edge[axis];
  }
}
