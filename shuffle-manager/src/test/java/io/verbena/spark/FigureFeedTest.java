package io.verbena.spark;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbena.fetch.FetchStats;
import io.verbena.store.StoreStats;
import io.verbena.transport.verbs.VerbsStats;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class FigureFeedTest {
  private static final long NEVER = 1_000_000;

  private final BlockingQueue<List<ExecutorFigures>> given = new LinkedBlockingQueue<>();

  private static ExecutorFigures figures(int id, long cpu) {
    return new ExecutorFigures(
        Integer.toString(id), "host", StoreStats.NONE, FetchStats.NONE, VerbsStats.NONE, cpu);
  }

  private static List<Integer> ids(List<ExecutorFigures> rows) {
    return rows.stream().map(row -> Integer.valueOf(row.executorId())).toList();
  }

  @Test
  void theNewestFiguresOfEachExecutorAreGivenOnce() throws InterruptedException {
    try (FigureFeed feed = new FigureFeed(given::add, 50, 50)) {
      synchronized (feed) {
        feed.changed(figures(1, 1));
        feed.changed(figures(2, 1));
        feed.changed(figures(1, 2));
      }
      assertThat(given.take()).containsExactly(figures(1, 2), figures(2, 1));

      feed.changed(figures(2, 3));
      assertThat(given.take()).containsExactly(figures(2, 3));
    }
    assertThat(given).isEmpty();
  }

  @Test
  void manyExecutorsComeSomeAtATime() throws InterruptedException {
    try (FigureFeed feed = new FigureFeed(given::add, 50, 50)) {
      synchronized (feed) {
        IntStream.range(0, 450).forEach(id -> feed.changed(figures(id, 1)));
      }
      List<Integer> ids = new ArrayList<>();
      for (int size : new int[] {200, 200, 50}) {
        List<ExecutorFigures> rows = given.take();
        assertThat(rows).hasSize(size);
        ids.addAll(ids(rows));
      }
      assertThat(ids).containsExactlyElementsOf(IntStream.range(0, 450).boxed().toList());
    }
  }

  @Test
  void atTheEndComesWhatWasNotGiven() throws InterruptedException {
    FigureFeed feed = new FigureFeed(given::add, 10, NEVER);
    feed.changed(figures(1, 1));
    given.take();
    feed.changed(figures(2, 1));

    assertThat(feed.finish(List.of(figures(1, 1), figures(2, 2), figures(3, 1))))
        .containsExactly(List.of(figures(2, 2), figures(3, 1)));
    feed.changed(figures(4, 1));
    assertThat(given).isEmpty();
  }

  @Test
  void atTheEndManyComeInSeveralLists() {
    FigureFeed feed = new FigureFeed(given::add, NEVER, NEVER);

    assertThat(feed.finish(IntStream.range(0, 450).mapToObj(id -> figures(id, 1)).toList()))
        .extracting(List::size)
        .containsExactly(200, 200, 50);
  }
}
