package io.verbena.apps.trajectory;

/** One time step of a trajectory. The arrays are shared, nobody changes them. */
final class Frame implements ReadItem {
  private static final long serialVersionUID = 1L;

  private final Origin origin;
  final long timestep;

  /** Simulated time, or NaN when the file does not say it. */
  final double time;

  final Box box;
  final long[] ids;

  /** x, y, z of each atom, in the order of {@link #ids}. */
  final double[] positions;

  /** Whether the positions are those of the atom itself, and not of its image in the box. */
  final boolean unwrapped;

  Frame(
      Origin origin,
      long timestep,
      double time,
      Box box,
      long[] ids,
      double[] positions,
      boolean unwrapped) {
    this.origin = origin;
    this.timestep = timestep;
    this.time = time;
    this.box = box;
    this.ids = ids;
    this.positions = positions;
    this.unwrapped = unwrapped;
  }

  @Override
  public Origin origin() {
    return origin;
  }

  int atoms() {
    return ids.length;
  }
}
