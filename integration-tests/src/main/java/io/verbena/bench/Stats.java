package io.verbena.bench;

import java.util.Arrays;
import java.util.List;
import java.util.function.ToDoubleFunction;

/** Small statistics over rounds. */
final class Stats {
  private Stats() {}

  static double median(double[] values) {
    if (values.length == 0) {
      return Double.NaN;
    }
    double[] sorted = values.clone();
    Arrays.sort(sorted);
    int middle = sorted.length / 2;
    return sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
  }

  /** Of one figure of each. */
  static <T> double median(List<T> all, ToDoubleFunction<T> figure) {
    return median(all.stream().mapToDouble(figure).toArray());
  }

  static double min(double[] values) {
    return Arrays.stream(values).min().orElse(Double.NaN);
  }

  static double max(double[] values) {
    return Arrays.stream(values).max().orElse(Double.NaN);
  }

  /** Quotients of the same round. */
  static double[] ratios(double[] numerators, double[] denominators) {
    if (numerators.length != denominators.length) {
      throw new IllegalArgumentException(
          "rounds differ: " + numerators.length + " and " + denominators.length);
    }
    double[] quotients = new double[numerators.length];
    for (int i = 0; i < quotients.length; i++) {
      quotients[i] = numerators[i] / denominators[i];
    }
    return quotients;
  }
}
