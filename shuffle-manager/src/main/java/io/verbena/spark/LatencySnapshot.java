package io.verbena.spark;

import com.codahale.metrics.Snapshot;
import io.verbena.fetch.LatencyHistogram;
import java.io.OutputStream;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.stream.IntStream;
import java.util.stream.LongStream;

/**
 * Latencies by bucket at one moment, nanoseconds. A value is the middle of its bucket, so at most
 * an eighth off.
 */
final class LatencySnapshot extends Snapshot {
  private final long[] counts;
  private final long total;

  LatencySnapshot(long[] counts) {
    this.counts = counts;
    this.total = Arrays.stream(counts).sum();
  }

  private static double middle(int bucket) {
    return (LatencyHistogram.lowest(bucket) + LatencyHistogram.lowest(bucket + 1) - 1) / 2.0;
  }

  private IntStream buckets() {
    return IntStream.range(0, counts.length).filter(bucket -> counts[bucket] > 0);
  }

  @Override
  public double getValue(double quantile) {
    if (!(quantile >= 0 && quantile <= 1)) {
      throw new IllegalArgumentException("quantile=" + quantile + ": allowed is from 0 to 1");
    }
    long wanted = Math.max(1, (long) Math.ceil(quantile * total));
    long seen = 0;
    for (int bucket = 0; bucket < counts.length; bucket++) {
      seen += counts[bucket];
      if (seen >= wanted) {
        return middle(bucket);
      }
    }
    return 0;
  }

  /** One value for each bucket that has any. */
  @Override
  public long[] getValues() {
    return buckets().mapToLong(bucket -> (long) middle(bucket)).toArray();
  }

  @Override
  public int size() {
    return (int) Math.min(Integer.MAX_VALUE, total);
  }

  @Override
  public long getMin() {
    return LongStream.of(getValues()).findFirst().orElse(0);
  }

  @Override
  public long getMax() {
    return LongStream.of(getValues()).reduce(0, (less, more) -> more);
  }

  @Override
  public double getMean() {
    return total == 0
        ? 0
        : buckets().mapToDouble(bucket -> middle(bucket) * counts[bucket]).sum() / total;
  }

  @Override
  public double getStdDev() {
    double mean = getMean();
    double squares =
        buckets()
            .mapToDouble(
                bucket -> {
                  double off = middle(bucket) - mean;
                  return off * off * counts[bucket];
                })
            .sum();
    return total < 2 ? 0 : Math.sqrt(squares / (total - 1));
  }

  /** Writes {@link #getValues}, one a line. */
  @Override
  public void dump(OutputStream output) {
    try (PrintWriter out = new PrintWriter(output, false, StandardCharsets.UTF_8)) {
      LongStream.of(getValues()).forEach(out::println);
    }
  }
}
