package io.verbena.spark;

import static org.assertj.core.api.Assertions.assertThat;

import com.codahale.metrics.Gauge;
import io.verbena.fetch.FetchStats;
import io.verbena.store.StoreStats;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ShuffleSourceTest {
  private StoreStats store = StoreStats.NONE;
  private FetchStats fetch = FetchStats.NONE;
  private final ShuffleSource source = new ShuffleSource(() -> store, () -> fetch);

  private Object gauge(String name) {
    return ((Gauge<?>) source.metricRegistry().getMetrics().get(name)).getValue();
  }

  @Test
  void gaugesTellTheFiguresOfTheMomentWhenTheyAreAsked() {
    assertThat(source.sourceName()).isEqualTo("verbena");
    assertThat(gauge("pool.bytes")).isEqualTo(0L);
    store = new StoreStats(11, 12, 13, 14, 15, "tmpfs", 16, 17, 18);
    fetch = new FetchStats(1, 2, Map.of("shm", 3L, "netty", 4L), Map.of(), 5, Map.of(), 6, 7);
    assertThat(gauge("pool.bytes")).isEqualTo(11L);
    assertThat(gauge("pool.tableBytes")).isEqualTo(12L);
    assertThat(gauge("pool.reserved")).isEqualTo(13L);
    assertThat(gauge("runs.onDisk")).isEqualTo(17L);
    assertThat(gauge("read.localBytes")).isEqualTo(1L);
    assertThat(gauge("read.remoteBytes")).isEqualTo(7L);
    assertThat(gauge("read.rereads")).isEqualTo(7L);
  }
}
