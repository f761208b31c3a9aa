package io.verbena.it;

import static io.verbena.it.Submitted.app;
import static io.verbena.it.Submitted.lines;
import static io.verbena.it.Submitted.report;
import static io.verbena.it.Submitted.sum;
import static org.assertj.core.api.Assertions.assertThat;

import io.verbena.it.cluster.AppHandle;
import io.verbena.it.cluster.AppResult;
import io.verbena.it.cluster.StandaloneCluster;
import io.verbena.it.demo.ShuffleReport;
import io.verbena.it.jobs.GatedJob;
import io.verbena.it.jobs.Gates;
import io.verbena.it.jobs.Job;
import io.verbena.it.jobs.Outcome;
import io.verbena.it.jobs.Records;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/**
 * A bit changes in the memory of an executor between its map task and a neighbour's reduce task.
 */
@ExtendWith(SharedCluster.class)
final class FlippedBitIT {
  private static final Duration LIMIT = Duration.ofMinutes(3);

  /** One map task, so that one executor holds everything and the other one reads it. */
  private static final Job.Load LOAD = new Job.Load(10_000, 1_000, 1, 2);

  private static final Outcome RIGHT = Job.PARTITION_BY.expected(LOAD);

  /** Bytes before the rows in a table's first tile: a header and two slots' headers. */
  private static final int ROWS = 64 + 2 * 32;

  /** Bytes of a row: two entries. */
  private static final int ROW = 2 * 16;

  private static final List<Flip> FLIPS =
      List.of(
          new Flip(
              "byte of a block",
              "do not match their checksum after a second READ",
              FlippedBitIT::flipByteOfABlock),
          flipOfTile("tile header", 17, 0, ""),
          flipOfEntry("offset in an entry", 0, 6, ""),
          flipOfEntry("length in an entry", 4, 1, ""),
          flipOfEntry("checksum in an entry", 8, 7, "after a second READ"),
          flipOfEntry("flag for a chain in an entry", 14, 2, ""),
          flipOfEntry("flag for compression in an entry", 14, 3, ""));

  /** Changes a bit of what an executor holds of a partition of a shuffle. */
  private interface Change {
    void make(String appId, String owner, int shuffleId, int partition) throws IOException;
  }

  /** A bit to change, and what the reader says about it. */
  private record Flip(String what, String message, Change change) {}

  private static Flip flipOfTile(String what, int distance, int bit, String message) {
    return new Flip(
        what,
        message,
        (appId, owner, shuffleId, partition) ->
            PoolFiles.findTile(appId, owner, shuffleId).flip(distance, bit));
  }

  private static Flip flipOfEntry(String what, int distance, int bit, String message) {
    return new Flip(
        what,
        message,
        (appId, owner, shuffleId, partition) ->
            PoolFiles.findTile(appId, owner, shuffleId)
                .flip(ROWS + partition * ROW + distance, bit));
  }

  private static void flipByteOfABlock(String appId, String owner, int shuffleId, int partition)
      throws IOException {
    long record =
        LongStream.range(0, LOAD.records())
            .filter(i -> Records.key(i, LOAD.keys()) % LOAD.reduces() == partition)
            .findFirst()
            .orElseThrow();
    PoolFiles.find(appId, owner, Records.marker(record)).flip(0, 3);
  }

  @TempDir Path folder;

  @Test
  void flippedBitIsNoticedReadOnceMoreAndEndsInARecomputedMapOutput(StandaloneCluster cluster)
      throws Exception {
    Gates gates = new Gates(folder);
    int rounds = FLIPS.size();
    try (AppHandle app =
        cluster.submitAsync(
            app(GatedJob.class)
                .onVerbena()
                .conf("spark.shuffle.rdma.pool.regionSize", "16m")
                .args(folder.toString(), LOAD.toString(), Integer.toString(rounds))
                .build())) {
      String appId = app.awaitAppId(LIMIT);
      for (int round = 0; round < rounds; round++) {
        flip(gates, appId, round);
      }
      AppResult result = app.waitFor(LIMIT).orThrow();
      assertThat(result.stdout().lines())
          .containsExactlyElementsOf(Collections.nCopies(rounds, RIGHT.toString()));
      for (int round = 0; round < rounds; round++) {
        assertNoticed(result.log(), round);
      }
      ShuffleReport report = report(result);
      assertThat(sum(report, ShuffleReport.Executor::checksumFailures)).isPositive();
      assertThat(sum(report, ShuffleReport.Executor::rereads)).isGreaterThanOrEqualTo(rounds);
    }
  }

  private static void assertNoticed(String log, int round) {
    Flip flip = FLIPS.get(round);
    assertThat(lines(log, "FetchFailed(BlockManagerId("))
        .as("fetch failure after a flip of: %s", flip.what())
        .anySatisfy(line -> assertThat(line).contains("shuffleId=" + round + ","));
    assertThat(lines(log, "shuffle " + round + " map "))
        .as("message about a flip of: %s", flip.what())
        .anySatisfy(
            line ->
                assertThat(line)
                    .matches(".*map \\d+ \\(index 0\\) partition [01] from executor .* by shm: .*")
                    .contains(flip.message()));
  }

  /** Changes a bit in what the executor without the map output is about to read. */
  private static void flip(Gates gates, String appId, int round)
      throws IOException, InterruptedException {
    String prefix = round + "-";
    gates.open(prefix + "between", prefix + "reducing-0", prefix + "reducing-1");
    String owner = gates.awaitSomebodyAt(prefix + "map-0");
    gates.open(prefix + "map-0");
    String reader = gates.awaitSomebodyAt(prefix + "reduce-0");
    gates.awaitSomebodyAt(prefix + "reduce-1");
    int partition = reader.equals(owner) ? 1 : 0;
    FLIPS.get(round).change().make(appId, owner, round, partition);
    gates.open(prefix + "reduce-0", prefix + "reduce-1");
  }
}
