package io.verbena.spark;

import static org.assertj.core.api.Assertions.assertThat;

import com.codahale.metrics.Counter;
import com.codahale.metrics.Gauge;
import com.codahale.metrics.Histogram;
import com.codahale.metrics.Metric;
import io.verbena.fetch.FetchStats;
import io.verbena.fetch.FlowStats;
import io.verbena.fetch.LatencyHistogram;
import io.verbena.fetch.TransportStats;
import io.verbena.store.StoreStats;
import io.verbena.transport.verbs.VerbsStats;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class ShuffleSourceTest {
  /** Figures that are all different. */
  private static final class Figures implements ShuffleFigures {
    private boolean begun;

    @Override
    public StoreStats store() {
      return begun
          ? new StoreStats(1, 2, 3, Map.of("tmpfs", 4L), 5, 6, "tmpfs", 7, 8, 9)
          : StoreStats.NONE;
    }

    @Override
    public FetchStats fetch() {
      return begun
          ? new FetchStats(
              10,
              11,
              Map.of("shm", 12L, "netty", 13L),
              Map.of("shm", 14L, "disk", 15L),
              16,
              Map.of("shm->netty: gone", 17L, "registry->netty: silent", 18L),
              19,
              20,
              Map.of("verbs", new TransportStats(21, 22, 23, 24, 25, 26, 27)),
              new FlowStats(28, 29, 30, 31, 32, 33),
              Map.of("shm", "1"))
          : FetchStats.NONE;
    }

    @Override
    public VerbsStats verbs() {
      return begun ? new VerbsStats(40, 41, 42, 43, 44) : VerbsStats.NONE;
    }

    @Override
    public long servingCpuNanos() {
      return begun ? 45 : 0;
    }

    @Override
    public Optional<LatencyHistogram> latency(String transport) {
      return Optional.empty();
    }
  }

  private final Figures figures = new Figures();
  private final ShuffleSource source = new ShuffleSource(figures);

  private static Object value(Metric metric) {
    if (metric instanceof Gauge<?> gauge) {
      return gauge.getValue();
    }
    return metric instanceof Counter counter ? counter.getCount() : ((Histogram) metric).getCount();
  }

  private Map<String, Object> notZero() {
    Map<String, Object> values = new TreeMap<>();
    source
        .metricRegistry()
        .getMetrics()
        .forEach(
            (name, metric) -> {
              if (!value(metric).equals(0L)) {
                values.put(name, value(metric));
              }
            });
    return values;
  }

  @Test
  void everyMetricTellsItsFigureOfTheMomentWhenItIsAsked() {
    assertThat(source.sourceName()).isEqualTo("verbena");
    assertThat(notZero()).isEmpty();

    figures.begun = true;

    assertThat(notZero())
        .containsExactlyInAnyOrderEntriesOf(
            Map.ofEntries(
                Map.entry("pool.bytes", 1L),
                Map.entry("pool.tableBytes", 2L),
                Map.entry("pool.reserved", 3L),
                Map.entry("pool.tmpfs.reserved", 4L),
                Map.entry("pool.highWater", 5L),
                Map.entry("pool.limit", 6L),
                Map.entry("runs.inPool", 7L),
                Map.entry("runs.onDisk", 8L),
                Map.entry("disk.bytes", 9L),
                Map.entry("read.local.bytes", 10L),
                Map.entry("read.local.blocks", 11L),
                Map.entry("read.shm.bytes", 12L),
                Map.entry("read.netty.bytes", 13L),
                Map.entry("read.shm.blocks", 14L),
                Map.entry("read.disk.blocks", 15L),
                Map.entry("read.tableReads", 16L),
                Map.entry("falls.all", 35L),
                Map.entry("falls.registry", 18L),
                Map.entry("read.checksumFailures", 19L),
                Map.entry("read.rereads", 20L),
                Map.entry("read.verbs.reads", 21L),
                Map.entry("read.verbs.outstanding", 22L),
                Map.entry("connections.verbs.open", 23L),
                Map.entry("connections.verbs.opened", 24L),
                Map.entry("connections.verbs.failed", 25L),
                Map.entry("falls.verbs.broken", 26L),
                Map.entry("falls.verbs.silent", 27L),
                Map.entry("receive.bytes", 28L),
                Map.entry("receive.highWater", 29L),
                Map.entry("receive.limit", 30L),
                Map.entry("wait.time", 31L),
                Map.entry("wait.inFlight", 32L),
                Map.entry("wait.buffers", 33L),
                Map.entry("verbs.registeredBytes", 40L),
                Map.entry("verbs.memoryRegions", 41L),
                Map.entry("verbs.queuePairs", 42L),
                Map.entry("verbs.servingQueuePairs", 43L),
                Map.entry("verbs.workRequests", 44L),
                Map.entry("netty.servingCpu", 45L)));
  }

  @Test
  void everyMetricIsThereFromTheStartAndOfItsKind() {
    List<String> names = new ArrayList<>();
    for (ShuffleMetric metric : ShuffleMetric.values()) {
      for (String part : metric.parts()) {
        names.add(metric.name(part));
        assertThat(source.metricRegistry().getMetrics().get(metric.name(part)))
            .as(metric.name(part))
            .isInstanceOf(
                switch (metric.kind()) {
                  case GAUGE -> Gauge.class;
                  case COUNTER -> Counter.class;
                  case HISTOGRAM -> Histogram.class;
                });
      }
    }
    assertThat(source.metricRegistry().getNames()).containsExactlyInAnyOrderElementsOf(names);
  }
}
