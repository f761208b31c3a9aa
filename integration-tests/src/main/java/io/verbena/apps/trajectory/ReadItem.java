package io.verbena.apps.trajectory;

import java.io.Serializable;

/**
 * What reading a part of a file yields, in this order: frames, then either its end or a problem.
 */
sealed interface ReadItem extends Serializable permits Frame, SplitEnd, InputProblem {
  /** The file, and the byte in it where the part begins that this came from. */
  Origin origin();
}
