package io.verbena.spark;

import io.verbena.spark.shim.MapStatuses;
import io.verbena.spark.shim.RowChecksums;
import io.verbena.store.MapOutput;
import java.io.IOException;
import org.apache.spark.SparkEnv;
import org.apache.spark.TaskContext;
import org.apache.spark.scheduler.MapStatus;
import org.apache.spark.shuffle.ShuffleWriteMetricsReporter;
import org.apache.spark.util.TaskCompletionListener;
import scala.Option;

/**
 * One map task's output from its beginning to its map status. Frees everything when the task ends
 * without a commit, however it ends.
 *
 * <p>Threads: the task's thread.
 */
final class MapOutputCommit {
  private final MapOutput output;
  private final long mapId;
  private final ShuffleWriteMetricsReporter metrics;
  private final boolean recomputed;
  private MapStatus status;
  private long[] lengths;

  MapOutputCommit(
      MapOutput output, long mapId, TaskContext context, ShuffleWriteMetricsReporter metrics) {
    this.output = output;
    this.mapId = mapId;
    this.metrics = metrics;
    this.recomputed = context.stageAttemptNumber() > 0;
    TaskCompletionListener free = ended -> output.close();
    context.addTaskCompletionListener(free);
  }

  MapOutput output() {
    return output;
  }

  /** Publishes the runs, then makes the status: nobody looks a block up before it is there. */
  void commit(RowChecksums checksums) throws IOException {
    long start = System.nanoTime();
    if (recomputed) {
      // Perhaps because readers found the location table damaged.
      output.repairTable();
    }
    lengths = output.commit();
    long bytes = 0;
    for (long length : lengths) {
      bytes += length;
    }
    metrics.incBytesWritten(bytes);
    metrics.incWriteTime(System.nanoTime() - start);
    status =
        MapStatuses.of(
            SparkEnv.get().blockManager().shuffleServerId(), lengths, mapId, checksums.aggregate());
  }

  long[] lengths() {
    return lengths;
  }

  /** The status of a task that ended well; nothing otherwise, and nothing is left. */
  Option<MapStatus> stop(boolean success) {
    output.close();
    return success ? Option.apply(status) : Option.empty();
  }
}
