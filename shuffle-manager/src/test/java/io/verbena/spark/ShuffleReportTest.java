package io.verbena.spark;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbena.fetch.FetchStats;
import io.verbena.fetch.FlowStats;
import io.verbena.fetch.TransportStats;
import io.verbena.store.StoreStats;
import io.verbena.transport.verbs.VerbsStats;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ShuffleReportTest {
  @Test
  void reportIsOneLineOfJsonThatNamesEveryFigure() {
    ExecutorFigures figures =
        new ExecutorFigures(
            "0",
            "127.0.0.1",
            new StoreStats(123, 20, 400, Map.of("tmpfs", 400L), 456, 789, "tmpfs", 8, 1, 77),
            new FetchStats(
                1,
                2,
                Map.of("shm", 3L),
                Map.of("shm", 4L),
                5,
                Map.of("shm->netty: \"quoted\"", 6L),
                7,
                8,
                Map.of("shm", new TransportStats(30, 31, 32, 33, 34, 35, 36)),
                new FlowStats(40, 41, 42, 3_000_000_000L, 2_000_000_000L, 500_000_000L),
                Map.of("shm", "1-3")),
            new VerbsStats(50, 51, 52, 53, 54),
            10_000_000);

    assertThat(ShuffleReport.json(List.of(figures)))
        .isEqualTo(
            "{\"version\":1,\"executors\":[{\"executor\":\"0\",\"host\":\"127.0.0.1\","
                + "\"localBytes\":1,\"localBlocks\":2,\"readBytes\":{\"shm\":3},"
                + "\"readBlocks\":{\"shm\":4},\"tableReads\":5,\"poolBytes\":123,"
                + "\"poolHighWater\":456,\"poolLimit\":789,\"poolBacking\":\"tmpfs\","
                + "\"runsInPool\":8,\"runsOnDisk\":1,"
                + "\"falls\":{\"shm->netty: \\\"quoted\\\"\":6},"
                + "\"peers\":{\"shm\":\"1-3\"},"
                + "\"checksumFailures\":7,\"rereads\":8,\"connectionsOpened\":{\"shm\":33},"
                + "\"connectionsFailed\":{\"shm\":34},\"registeredBytes\":50,"
                + "\"waitSeconds\":3.0,\"inFlightWaitSeconds\":2.0,\"bufferWaitSeconds\":0.5,"
                + "\"servingCpuSeconds\":0.01}]}");
  }

  @Test
  void anApplicationWithoutExecutorsHasAnEmptyReport() {
    assertThat(ShuffleReport.json(List.of())).isEqualTo("{\"version\":1,\"executors\":[]}");
  }
}
