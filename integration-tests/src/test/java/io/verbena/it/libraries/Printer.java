package io.verbena.it.libraries;

import io.verbena.it.cluster.Await;
import io.verbena.it.jobs.PoolFigures;
import io.verbena.it.sql.TaskTotals;
import java.time.Duration;
import java.util.Optional;
import org.apache.spark.api.java.JavaSparkContext;

/**
 * Prints lines {@code NAME TAB KIND TAB TEXT}. After each part of the application: kinds {@code
 * records} and {@code bytes}, what its tasks have counted, and {@code pool}, what executors hold
 * when the driver has forgotten all of it.
 */
final class Printer {
  private static final Duration LIMIT = Duration.ofMinutes(2);
  private static final int EXECUTORS = 2;
  private static final int SAME = 3;

  private final JavaSparkContext context;
  private final TaskTotals totals = new TaskTotals();

  Printer(JavaSparkContext context) {
    this.context = context;
    context.sc().addSparkListener(totals);
  }

  void print(String name, String kind, String text) {
    System.out.println(name + "\t" + kind + "\t" + text);
  }

  /** What was counted since the last time; then waits until no shuffle takes any memory. */
  void end(String name) throws InterruptedException {
    totals.awaitAllCounted(context.sc());
    TaskTotals.Taken taken = totals.take();
    print(name, "records", taken.records());
    print(name, "bytes", taken.bytes());
    Await.until("the pools to be empty after " + name, LIMIT, () -> forgotten().pool() == 0);
    PoolFigures end = forgotten();
    print(name, "pool", end.pool() + " " + end.received());
  }

  /** Bytes of the pools when removing what the driver has forgotten seems to go no further. */
  long settledPool() {
    long pool = forgotten().pool();
    int same = 1;
    while (same < SAME) {
      long next = forgotten().pool();
      same = next < pool ? 1 : same + 1;
      pool = next;
    }
    return pool;
  }

  /** Bytes of the pools as soon as what the driver has forgotten leaves so many at most. */
  long poolAtMost(long bytes) throws InterruptedException {
    return Await.value(
        "the pools to hold at most " + bytes + " bytes",
        LIMIT,
        () -> Optional.of(forgotten().pool()).filter(held -> held <= bytes));
  }

  /** Has Spark look which shuffles nobody can reach any more: they are removed shortly after. */
  private PoolFigures forgotten() {
    System.gc();
    return PoolFigures.ofAll(context, EXECUTORS);
  }
}
