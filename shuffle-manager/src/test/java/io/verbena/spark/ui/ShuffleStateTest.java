package io.verbena.spark.ui;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.verbena.spark.ui.ShuffleState.Snapshot;
import java.util.List;
import java.util.Map;
import org.apache.spark.util.JsonProtocol;
import org.junit.jupiter.api.Test;

class ShuffleStateTest {
  private final ShuffleState state = new ShuffleState();

  private static ShuffleFiguresEvent event(long second, int id, long bytes) {
    return SimulatedCluster.event(
        second, SimulatedCluster.executor(id, 2, bytes, SimulatedCluster::transport));
  }

  @Test
  void theLastFiguresOfAnExecutorCount() {
    state.apply(event(0, 1, 100));
    state.apply(event(1, 0, 1_000));
    state.apply(event(2, 1, 2_000));

    Snapshot now = state.snapshot();
    assertThat(now.rows()).extracting(ExecutorRow::executor).containsExactly("0", "1");
    assertThat(now.rows()).extracting(ExecutorRow::localBytes).containsExactly(100L, 200L);
    assertThat(now.total()).isEqualTo(Map.of("local", 300L, "shm", 1_500L));
    assertThat(now.points())
        .extracting(point -> point.bytes().get("local"))
        .containsExactly(10L, 110L, 300L);
  }

  @Test
  void executorsAreLimitedDeadOnesGoFirstAndTheSumsStay() {
    for (int id = 0; id < ShuffleState.MAX_ROWS; id++) {
      state.apply(event(id, id, 1_000));
    }
    state.executorEnded("500", "lost");
    state.apply(event(5_000, 1_000, 1_000));
    state.apply(event(5_001, 1_001, 1_000));

    Snapshot now = state.snapshot();
    assertThat(now.rows()).hasSize(ShuffleState.MAX_ROWS);
    assertThat(now.rows()).extracting(ExecutorRow::executor).doesNotContain("500", "0");
    assertThat(now.leftOut()).isEqualTo(2);
    assertThat(now.total()).containsEntry("local", 1_002 * 100L);
    assertThat(now.ended()).isEmpty();
  }

  @Test
  void aDeadExecutorStaysWithItsReasonAlsoWhenItsLastFiguresComeLater() {
    state.executorEnded("1", "worker lost");
    state.apply(event(0, 1, 100));

    assertThat(state.snapshot().ended()).isEqualTo(Map.of("1", "worker lost"));
  }

  @Test
  void pointsAreLimitedAndCoverTheWholeTime() {
    Throughput throughput = new Throughput();
    for (long second = 0; second <= 100_000; second += 10) {
      throughput.add(second * 1_000, Map.of("shm", second));
    }

    List<Throughput.Point> points = throughput.points();
    assertThat(points).hasSizeBetween(Throughput.MAX_POINTS / 2, Throughput.MAX_POINTS);
    assertThat(points.get(0).time()).isZero();
    assertThat(points.get(points.size() - 1).time()).isEqualTo(100_000_000);
    assertThat(points)
        .allSatisfy(p -> assertThat(p.bytes().get("shm")).isEqualTo(p.time() / 1_000));
    for (int i = 1; i < points.size(); i++) {
      long step = points.get(i).time() - points.get(i - 1).time();
      assertThat(step).as("step before point %s", i).isBetween(10_000L, 900_000L);
    }
  }

  @Test
  void timeThatGoesBackMakesNoPoint() {
    Throughput throughput = new Throughput();
    throughput.add(2_000, Map.of("shm", 1L));
    throughput.add(1_000, Map.of("shm", 2L));

    assertThat(throughput.points()).containsExactly(new Throughput.Point(2_000, Map.of("shm", 2L)));
  }

  @Test
  void anEventIsTheSameOutOfTheEventLog() {
    ShuffleFiguresEvent event = event(7, 1, 100);
    String line = JsonProtocol.sparkEventToJsonString(event);

    assertThat(line).contains("\"Event\":\"io.verbena.spark.ui.ShuffleFiguresEvent\"");
    assertThat(JsonProtocol.sparkEventFromJson(line).toString()).isEqualTo(event.toString());
  }

  @Test
  void whatALaterVersionWritesIsReadAsFarAsItIsUnderstood() {
    String line =
        "{\"Event\":\"io.verbena.spark.ui.ShuffleFiguresEvent\",\"time\":{\"s\":1},\"new\":[1],"
            + "\"executors\":[7,null,\"x\",{\"executor\":3,\"host\":[],\"readBytes\":9,"
            + "\"falls\":{\"a\":\"many\"},\"poolBytes\":-1,\"localBytes\":\"12\",\"else\":{}},{}]}";

    new FiguresListener(state).onOtherEvent(JsonProtocol.sparkEventFromJson(line));

    assertThat(state.snapshot().rows())
        .singleElement()
        .satisfies(
            row -> {
              assertThat(row.executor()).isEqualTo("3");
              assertThat(row.localBytes()).isEqualTo(12);
              assertThat(row.poolBytes()).isZero();
              assertThat(row.falls()).isEqualTo(Map.of("a", 0L));
            });
    assertThat(state.snapshot().points()).isEmpty();
  }

  @Test
  void anEventWithoutAnythingChangesNothing() {
    String line = "{\"Event\":\"io.verbena.spark.ui.ShuffleFiguresEvent\"}";
    new FiguresListener(state).onOtherEvent(JsonProtocol.sparkEventFromJson(line));

    assertThat(state.snapshot()).isEqualTo(new ShuffleState().snapshot());
  }

  @Test
  void theStateIsTheSameOutOfAStore() {
    ShuffleState made = SimulatedCluster.state(5, SimulatedCluster::transport);
    made.executorEnded("3", "lost <b>");
    made.applicationEnded();

    assertThat(new StoredState(made).state().snapshot()).isEqualTo(made.snapshot());
    assertThatThrownBy(() -> ShuffleState.of("{")).isInstanceOf(IllegalArgumentException.class);
  }
}
