package io.verbena.apps.trajectory;

import java.io.Serializable;
import java.util.Arrays;

/** Sums over atoms of squared displacements; adding two of them is exact and thus in any order. */
final class DisplacementSums implements Serializable {
  private static final long serialVersionUID = 1L;

  /** By frame: squared displacement from the first frame. */
  final ExactSum[] fromFirst;

  /** By lag in frames, from zero on: squared displacement, summed over all first frames. */
  final ExactSum[] byLag;

  private long atoms;
  private double largestStep;
  private long incompleteAtom = Long.MAX_VALUE;
  private int missingFrame;

  DisplacementSums(int frames, int maxLag) {
    fromFirst = new ExactSum[frames];
    byLag = new ExactSum[maxLag + 1];
    Arrays.setAll(fromFirst, i -> new ExactSum());
    Arrays.setAll(byLag, i -> new ExactSum());
  }

  void atomDone(double largestStepOfAtom) {
    atoms++;
    largestStep = Math.max(largestStep, largestStepOfAtom);
  }

  void atomIncomplete(long atom, int frame) {
    if (atom < incompleteAtom) {
      incompleteAtom = atom;
      missingFrame = frame;
    }
  }

  DisplacementSums plus(DisplacementSums other) {
    for (int i = 0; i < fromFirst.length; i++) {
      fromFirst[i].add(other.fromFirst[i]);
    }
    for (int i = 0; i < byLag.length; i++) {
      byLag[i].add(other.byLag[i]);
    }
    atoms += other.atoms;
    largestStep = Math.max(largestStep, other.largestStep);
    atomIncomplete(other.incompleteAtom, other.missingFrame);
    return this;
  }

  long atoms() {
    return atoms;
  }

  /**
   * Farthest that an atom went between two frames along one axis, as a part of the box edge; 0 when
   * positions came unwrapped.
   */
  double largestStep() {
    return largestStep;
  }

  boolean complete() {
    return incompleteAtom == Long.MAX_VALUE;
  }

  /** The lowest id of an atom that is not in all frames. */
  long incompleteAtom() {
    return incompleteAtom;
  }

  /** The first frame that {@link #incompleteAtom} is missing in. */
  int missingFrame() {
    return missingFrame;
  }
}
