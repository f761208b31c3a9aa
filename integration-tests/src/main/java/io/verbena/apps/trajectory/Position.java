package io.verbena.apps.trajectory;

import java.io.Serializable;

/** A point in space. */
final class Position implements Serializable {
  private static final long serialVersionUID = 1L;

  final double x;
  final double y;
  final double z;

  Position(double x, double y, double z) {
    this.x = x;
    this.y = y;
    this.z = z;
  }
}
