package io.verbena.spark;

import io.verbena.store.ShuffleLease;
import java.io.IOException;

/** Gives leases on the shuffles of this executor. */
@FunctionalInterface
interface Leases {
  /**
   * Takes a lease; the caller closes it.
   *
   * @throws IOException when nothing of the shuffle is here (any more)
   */
  ShuffleLease take(int shuffleId) throws IOException;
}
