package io.verbena.bench;

import java.util.Arrays;

/**
 * The median of paired ratios, and bounds of it that hold whatever the distribution: of {@code n}
 * independent pairs, the number below the true median is binomial with probability one half, so the
 * {@code k}-th largest is above the true median unless fewer than {@code k} are. That needs no
 * assumption on how times scatter, which is not like a bell here: rounds with a full collection or
 * a disk's hiccup are far off on one side. The price is that fewer than five pairs give no bound.
 *
 * @param pairs number of pairs
 * @param median of the ratios
 * @param lower the true median is above this with at least {@code confidence}; NaN with too few
 * @param upper the true median is below this with at least {@code confidence}; NaN with too few
 * @param confidence of each bound by itself, at least {@link #CONFIDENCE}; NaN with too few pairs
 */
record MedianBounds(int pairs, double median, double lower, double upper, double confidence) {
  /** Least confidence of a bound. */
  static final double CONFIDENCE = 0.95;

  static MedianBounds of(double[] ratios) {
    double[] sorted = ratios.clone();
    Arrays.sort(sorted);
    int pairs = sorted.length;
    double missed = 0;
    double probability = Math.pow(0.5, pairs); // that none of them is above the median
    int rank = 0;
    while (rank < pairs && missed + probability <= 1 - CONFIDENCE) {
      missed += probability;
      probability *= (pairs - rank) / (rank + 1.0);
      rank++;
    }
    double median = Stats.median(ratios);
    return rank == 0
        ? new MedianBounds(pairs, median, Double.NaN, Double.NaN, Double.NaN)
        : new MedianBounds(pairs, median, sorted[rank - 1], sorted[pairs - rank], 1 - missed);
  }
}
