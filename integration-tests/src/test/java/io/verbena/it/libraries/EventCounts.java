package io.verbena.it.libraries;

import static org.apache.spark.sql.functions.col;
import static org.apache.spark.sql.functions.count;
import static org.apache.spark.sql.functions.lit;
import static org.apache.spark.sql.functions.max;
import static org.apache.spark.sql.functions.sum;
import static org.apache.spark.sql.functions.window;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeoutException;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.streaming.StreamingQuery;
import org.apache.spark.sql.streaming.StreamingQueryException;
import org.apache.spark.sql.streaming.StreamingQueryProgress;
import org.apache.spark.sql.streaming.Trigger;

/**
 * A stream's stateful aggregation. Its sink fails once, after a batch was computed and before it
 * was committed: the query is then started anew from its checkpoint and has to compute that batch
 * again.
 */
public final class EventCounts {
  private static final String NAME = "stream";

  /** So often, in batches, the memory is looked at. */
  public static final int LOOK = 10;

  private final SparkSession session;
  private final Printer printer;
  private final int failing;
  private final Map<Long, String> rows = new TreeMap<>();
  private final Map<Long, Long> open = new TreeMap<>();
  private boolean failed;
  private long heldFirst = -1;

  private EventCounts(SparkSession session, Printer printer, int batches) {
    this.session = session;
    this.printer = printer;
    this.failing = batches * 5 / 8;
  }

  static void run(SparkSession session, Printer printer, Scale scale, Path folder)
      throws IOException, TimeoutException, StreamingQueryException {
    Events.write(folder.resolve("events"), scale);
    new EventCounts(session, printer, scale.batches()).run(folder);
  }

  private void run(Path folder) throws TimeoutException, StreamingQueryException {
    try {
      once(folder);
      throw new IllegalStateException("the query has not failed");
    } catch (StreamingQueryException e) {
      if (!failed || !e.getMessage().contains(new SinkFailure().getMessage())) {
        throw e;
      }
    }
    once(folder);
    rows.forEach(
        (batch, text) -> printer.print(NAME, "batch " + batch, text + " open=" + open.get(batch)));
  }

  /** Runs until all files are taken, or to the failure. */
  private void once(Path folder) throws TimeoutException, StreamingQueryException {
    StreamingQuery query =
        counts(folder)
            .writeStream()
            .outputMode("update")
            .option("checkpointLocation", folder.resolve("checkpoint").toString())
            .trigger(Trigger.AvailableNow())
            .foreachBatch(this::take)
            .start();
    try {
      query.awaitTermination();
    } finally {
      for (StreamingQueryProgress progress : query.recentProgress()) {
        if (progress.stateOperators().length == 1) {
          open.put(progress.batchId(), progress.stateOperators()[0].numRowsTotal());
        }
      }
    }
  }

  private Dataset<Row> counts(Path folder) {
    return session
        .readStream()
        .schema("millis LONG, key LONG, value LONG")
        .option("maxFilesPerTrigger", Events.FILES)
        .csv(folder.resolve("events").toString())
        .selectExpr("timestamp_millis(millis) as time", "key", "value")
        .withWatermark("time", Events.DELAY_SECONDS + " seconds")
        .groupBy(window(col("time"), Events.WINDOW_SECONDS + " seconds"), col("key"))
        .agg(count(lit(1)).as("n"), sum("value").as("s"), max("value").as("m"))
        .selectExpr("unix_millis(window.start)", "key", "n", "s", "m");
  }

  private void take(Dataset<Row> batch, Long id) {
    String text = text(batch.collectAsList());
    if (id == failing && !failed) {
      failed = true;
      printer.print(NAME, "lost batch " + id, text);
      throw new SinkFailure();
    }
    if (rows.put(id, text) != null) {
      throw new IllegalStateException("batch " + id + " came twice");
    }
    look(id);
  }

  /** One batch's shuffle is there, on one executor or on both. A leak has one more for each. */
  private void look(long id) {
    try {
      if ((id + 1) % LOOK == 0) {
        // Removing may be late; what the first look has found too much only allows more.
        long held =
            heldFirst < 0
                ? printer.settledPool()
                : printer.poolAtMost(Math.max(0, 2 * heldFirst - 1));
        heldFirst = heldFirst < 0 ? held : heldFirst;
        printer.print(NAME, "held " + (id + 1), Long.toString(held));
      }
    } catch (InterruptedException e) {
      throw new IllegalStateException("interrupted in the sink", e);
    }
  }

  private static String text(List<Row> rows) {
    List<Row> sorted = new ArrayList<>(rows);
    sorted.sort(
        (a, b) ->
            a.getLong(0) == b.getLong(0)
                ? Long.compare(a.getLong(1), b.getLong(1))
                : Long.compare(a.getLong(0), b.getLong(0)));
    return String.join(" ", sorted.stream().map(row -> row.mkString(":")).toList());
  }

  /** What a sink may throw at any time. */
  private static final class SinkFailure extends RuntimeException {
    private static final long serialVersionUID = 1;

    SinkFailure() {
      super("the sink has failed, as it was told to");
    }
  }
}
