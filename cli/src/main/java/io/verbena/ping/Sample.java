package io.verbena.ping;

import org.HdrHistogram.Histogram;

/**
 * What was measured with one size.
 *
 * @param size bytes
 * @param latencies nanoseconds, of one at a time
 * @param bytesPerSecond of several at a time
 */
record Sample(int size, Histogram latencies, double bytesPerSecond) {
  /** Significant decimal digits that are kept of a latency. */
  private static final int DIGITS = 3;

  /** Room for latencies of any length. */
  static Histogram newLatencies() {
    return new Histogram(DIGITS);
  }

  double micros(double percentile) {
    return latencies.getValueAtPercentile(percentile) / 1e3;
  }
}
