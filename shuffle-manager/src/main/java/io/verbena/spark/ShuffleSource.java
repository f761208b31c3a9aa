package io.verbena.spark;

import com.codahale.metrics.Counter;
import com.codahale.metrics.Gauge;
import com.codahale.metrics.Histogram;
import com.codahale.metrics.Metric;
import com.codahale.metrics.MetricRegistry;
import io.verbena.fetch.LatencyHistogram;
import org.apache.spark.metrics.source.Source;

/**
 * An executor's metrics in Spark's metrics system, under {@value #NAME}. Figures are taken when a
 * sink asks.
 */
final class ShuffleSource implements Source {
  static final String NAME = "verbena";

  private final MetricRegistry registry = new MetricRegistry();

  ShuffleSource(ShuffleFigures figures) {
    for (ShuffleMetric metric : ShuffleMetric.values()) {
      for (String part : metric.parts()) {
        registry.register(metric.name(part), metric(figures, metric, part));
      }
    }
  }

  private static Metric metric(ShuffleFigures figures, ShuffleMetric metric, String part) {
    return switch (metric.kind()) {
      case GAUGE -> (Gauge<Long>) () -> metric.figure(figures, part);
      case COUNTER -> new EngineCounter(figures, metric, part);
      case HISTOGRAM ->
          new EngineHistogram(
              new LatencyReservoir(
                  () ->
                      figures
                          .latency(part)
                          .map(LatencyHistogram::counts)
                          .orElseGet(() -> new long[LatencyHistogram.BUCKETS]),
                  System::nanoTime));
    };
  }

  @Override
  public String sourceName() {
    return NAME;
  }

  @Override
  public MetricRegistry metricRegistry() {
    return registry;
  }

  /** A figure that the engine counts. */
  private static final class EngineCounter extends Counter {
    private final ShuffleFigures figures;
    private final ShuffleMetric metric;
    private final String part;

    EngineCounter(ShuffleFigures figures, ShuffleMetric metric, String part) {
      this.figures = figures;
      this.metric = metric;
      this.part = part;
    }

    @Override
    public long getCount() {
      return metric.figure(figures, part);
    }
  }

  /** Times that the engine counts. */
  private static final class EngineHistogram extends Histogram {
    private final LatencyReservoir reservoir;

    EngineHistogram(LatencyReservoir reservoir) {
      super(reservoir);
      this.reservoir = reservoir;
    }

    @Override
    public long getCount() {
      return reservoir.total();
    }
  }
}
