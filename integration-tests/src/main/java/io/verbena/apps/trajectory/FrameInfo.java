package io.verbena.apps.trajectory;

import java.io.Serializable;
import java.util.Arrays;

/** A frame without its atoms: what the driver has to know of each. */
final class FrameInfo implements Serializable {
  private static final long serialVersionUID = 1L;

  final Origin origin;
  final long timestep;
  final double time;
  final Box box;
  final int atoms;
  final long largestId;
  final boolean unwrapped;

  FrameInfo(Frame frame) {
    this.origin = frame.origin();
    this.timestep = frame.timestep;
    this.time = frame.time;
    this.box = frame.box;
    this.atoms = frame.atoms();
    this.largestId = Arrays.stream(frame.ids).max().orElse(0);
    this.unwrapped = frame.unwrapped;
  }
}
