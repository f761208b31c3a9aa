package io.verbena.it;

import static io.verbena.it.Submitted.app;
import static io.verbena.it.Submitted.lines;
import static io.verbena.it.Submitted.report;
import static io.verbena.it.Submitted.sum;
import static org.assertj.core.api.Assertions.assertThat;

import io.verbena.it.cluster.AppHandle;
import io.verbena.it.cluster.AppResult;
import io.verbena.it.cluster.AppSpec;
import io.verbena.it.cluster.StandaloneCluster;
import io.verbena.it.demo.ShuffleReport;
import io.verbena.it.jobs.GatedJob;
import io.verbena.it.jobs.Gates;
import io.verbena.it.jobs.Job;
import io.verbena.it.jobs.Records;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A bit changes in what an executor holds between its map task and a neighbour's reduce task. */
@ExtendWith(SharedCluster.class)
final class FlippedBitIT {
  private static final Duration LIMIT = Duration.ofMinutes(3);

  /** One map task, so that one executor holds everything and the other one reads it. */
  private static final Job.Load LOAD = new Job.Load(10_000, 1_000, 1, 2);

  /** More than a pool of 1 MiB holds of either partition. */
  private static final Job.Load LARGE = new Job.Load(40_000, 1_000, 1, 2);

  private static final String READ_AGAIN = "do not match their checksum after a second READ";
  private static final String ASKED_AGAIN =
      "do not match their checksum, also when it was asked for again";

  /** Bytes before the rows in a table's first tile: a header and two slots' headers. */
  private static final int ROWS = 64 + 2 * 32;

  /** Bytes of a row: two entries. */
  private static final int ROW = 2 * 16;

  /** What executor {@code owner} holds of a partition that its neighbour is about to read. */
  private record Block(
      StandaloneCluster cluster, String appId, String owner, int shuffleId, int partition) {
    /** Offset of its entry in the first tile. */
    int entry() {
      return ROWS + partition * ROW;
    }

    PoolFiles.Place tile() throws IOException {
      return PoolFiles.findTile(appId, owner, shuffleId);
    }

    /** Markers of records in it. */
    Stream<byte[]> markers(Job.Load load) {
      return LongStream.range(0, load.records())
          .filter(i -> Records.key(i, load.keys()) % load.reduces() == partition)
          .mapToObj(Records::marker);
    }
  }

  /** Changes a bit. */
  private interface Change {
    void make(Block block) throws IOException;
  }

  /** A bit to change, and what the reader says about it. */
  private record Flip(String what, String message, Change change) {}

  private static Flip flipOfEntry(String what, int distance, int bit, String message) {
    return new Flip(what, message, block -> block.tile().flip(block.entry() + distance, bit));
  }

  private static Flip flipInPool(String message) {
    return new Flip(
        "byte of a block",
        message,
        block ->
            PoolFiles.find(block.appId(), block.owner(), block.markers(LOAD).findFirst().get())
                .flip(0, 3));
  }

  private static final Flip FLIP_ON_DISK =
      new Flip(
          "byte of a block on disk",
          "of the file of run 0 " + READ_AGAIN,
          block ->
              PoolFiles.findInRunFile(
                      block.cluster(), block.appId(), block.shuffleId(), block.markers(LARGE))
                  .flip(0, 3));

  /**
   * A way to the blocks.
   *
   * @param transport in messages; run files are read beside it
   * @param settings that make readers take it, and a block of the pool one piece
   * @param readAgain how many of the flips are noticed by a checksum and read once more
   */
  private record Way(
      String transport,
      Map<String, String> settings,
      Job.Load load,
      List<Flip> flips,
      int readAgain) {
    @Override
    public String toString() {
      return flips.size() == 1 ? "run file" : transport;
    }
  }

  static List<Way> ways() {
    return List.of(
        new Way(
            "shm",
            Map.of(
                "spark.shuffle.rdma.pool.regionSize", "16m", "spark.shuffle.rdma.chunkSize", "1m"),
            LOAD,
            List.of(
                flipInPool(READ_AGAIN),
                new Flip("tile header", "", block -> block.tile().flip(17, 0)),
                flipOfEntry("offset in an entry", 0, 6, ""),
                flipOfEntry("length in an entry", 4, 1, ""),
                flipOfEntry("checksum in an entry", 8, 7, "after a second READ"),
                flipOfEntry("flag for a chain in an entry", 14, 2, ""),
                flipOfEntry("flag for compression in an entry", 14, 3, "")),
            7),
        // The owner reads its table itself; it never looks at the headers.
        new Way(
            "netty",
            Map.of(
                "spark.shuffle.rdma.transports",
                "netty",
                "spark.shuffle.rdma.pool.regionSize",
                "16m",
                "spark.shuffle.rdma.chunkSize",
                "1m"),
            LOAD,
            List.of(
                flipInPool(ASKED_AGAIN),
                flipOfEntry("offset in an entry", 0, 6, ASKED_AGAIN),
                flipOfEntry("length in an entry", 4, 1, ASKED_AGAIN),
                flipOfEntry("checksum in an entry", 8, 7, ASKED_AGAIN),
                flipOfEntry("flag for a chain in an entry", 14, 2, ""),
                flipOfEntry("flag for compression in an entry", 14, 3, ASKED_AGAIN)),
            5),
        new Way(
            "shm",
            Map.of(
                "spark.shuffle.rdma.pool.limit",
                "1m",
                "spark.shuffle.rdma.pool.regionSize",
                "1m",
                "spark.shuffle.rdma.chunkSize",
                "64k",
                "spark.shuffle.rdma.compress",
                "never"),
            LARGE,
            List.of(FLIP_ON_DISK),
            1));
  }

  @TempDir Path folder;

  @ParameterizedTest
  @MethodSource("ways")
  void flippedBitIsNoticedReadOnceMoreAndEndsInARecomputedMapOutput(
      Way way, StandaloneCluster cluster) throws Exception {
    Gates gates = new Gates(folder);
    int rounds = way.flips().size();
    AppSpec.Builder spec = app(GatedJob.class).onVerbena();
    way.settings().forEach(spec::conf);
    spec.args(folder.toString(), way.load().toString(), Integer.toString(rounds));
    try (AppHandle app = cluster.submitAsync(spec.build())) {
      String appId = app.awaitAppId(LIMIT);
      for (int round = 0; round < rounds; round++) {
        flip(gates, cluster, appId, round, way.flips().get(round).change());
      }
      AppResult result = app.waitFor(LIMIT).orThrow();
      String right = Job.PARTITION_BY.expected(way.load()).toString();
      assertThat(result.stdout().lines())
          .containsExactlyElementsOf(Collections.nCopies(rounds, right));
      for (int round = 0; round < rounds; round++) {
        assertNoticed(result.log(), round, way);
      }
      ShuffleReport report = report(result);
      assertThat(sum(report, ShuffleReport.Executor::checksumFailures)).isPositive();
      assertThat(sum(report, ShuffleReport.Executor::rereads))
          .isGreaterThanOrEqualTo(way.readAgain());
    }
  }

  private static void assertNoticed(String log, int round, Way way) {
    Flip flip = way.flips().get(round);
    assertThat(lines(log, "FetchFailed(BlockManagerId("))
        .as("fetch failure after a flip of: %s", flip.what())
        .anySatisfy(line -> assertThat(line).contains("shuffleId=" + round + ","));
    assertThat(lines(log, "shuffle " + round + " map "))
        .as("message about a flip of: %s", flip.what())
        .anySatisfy(
            line ->
                assertThat(line)
                    .matches(
                        ".*map \\d+ \\(index 0\\) partition [01] from executor .* by "
                            + way.transport()
                            + ": .*")
                    .contains(flip.message()));
  }

  /** Changes a bit in what the executor without the map output is about to read. */
  private static void flip(
      Gates gates, StandaloneCluster cluster, String appId, int round, Change change)
      throws IOException, InterruptedException {
    String prefix = round + "-";
    gates.open(prefix + "between", prefix + "reducing-0", prefix + "reducing-1");
    String owner = gates.awaitSomebodyAt(prefix + "map-0");
    gates.open(prefix + "map-0");
    String reader = gates.awaitSomebodyAt(prefix + "reduce-0");
    gates.awaitSomebodyAt(prefix + "reduce-1");
    int partition = reader.equals(owner) ? 1 : 0;
    change.make(new Block(cluster, appId, owner, round, partition));
    gates.open(prefix + "reduce-0", prefix + "reduce-1");
  }
}
