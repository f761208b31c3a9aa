package io.verbena.spark;

import com.codahale.metrics.Gauge;
import com.codahale.metrics.MetricRegistry;
import io.verbena.fetch.FetchStats;
import io.verbena.store.StoreStats;
import java.util.function.Supplier;
import java.util.function.ToLongFunction;
import org.apache.spark.metrics.source.Source;

/**
 * An executor's figures in Spark's metrics system, under {@value #NAME}: gauges in bytes or
 * numbers, taken when a sink asks.
 */
final class ShuffleSource implements Source {
  static final String NAME = "verbena";

  private final MetricRegistry registry = new MetricRegistry();

  ShuffleSource(Supplier<StoreStats> store, Supplier<FetchStats> fetch) {
    gauge("pool.bytes", store, StoreStats::poolBytes);
    gauge("pool.tableBytes", store, StoreStats::tableBytes);
    gauge("pool.reserved", store, StoreStats::poolReserved);
    gauge("pool.highWater", store, StoreStats::poolHighWater);
    gauge("pool.limit", store, StoreStats::poolLimit);
    gauge("runs.inPool", store, StoreStats::runsInPool);
    gauge("runs.onDisk", store, StoreStats::runsOnDisk);
    gauge("disk.bytes", store, StoreStats::diskBytes);
    gauge("read.localBytes", fetch, FetchStats::localBytes);
    gauge("read.remoteBytes", fetch, stats -> sum(stats.bytes().values()));
    gauge("read.tableReads", fetch, FetchStats::tableReads);
    gauge("read.falls", fetch, stats -> sum(stats.falls().values()));
    gauge("read.checksumFailures", fetch, FetchStats::checksumFailures);
    gauge("read.rereads", fetch, FetchStats::rereads);
  }

  private <T> void gauge(String name, Supplier<T> figures, ToLongFunction<T> figure) {
    registry.register(name, (Gauge<Long>) () -> figure.applyAsLong(figures.get()));
  }

  private static long sum(Iterable<Long> values) {
    long sum = 0;
    for (long value : values) {
      sum += value;
    }
    return sum;
  }

  @Override
  public String sourceName() {
    return NAME;
  }

  @Override
  public MetricRegistry metricRegistry() {
    return registry;
  }
}
