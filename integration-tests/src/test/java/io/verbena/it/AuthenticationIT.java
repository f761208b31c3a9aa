package io.verbena.it;

import static io.verbena.it.Submitted.app;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.verbena.it.cluster.AppHandle;
import io.verbena.it.cluster.AppResult;
import io.verbena.it.cluster.ClusterSpec;
import io.verbena.it.cluster.StandaloneCluster;
import io.verbena.it.jobs.GatedJob;
import io.verbena.it.jobs.Gates;
import io.verbena.it.jobs.Job;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * What others than an application's own executors get of its map outputs, with {@code
 * spark.authenticate}. One application waits between its stages meanwhile.
 */
final class AuthenticationIT {
  private static final Duration LIMIT = Duration.ofMinutes(3);
  private static final String SECRET = "a secret of this test";

  /** More than the pool of the executor with the map output holds. */
  private static final Job.Load LOAD = new Job.Load(40_000, 1_000, 1, 2);

  @TempDir private static Path folder;

  private static StandaloneCluster cluster;
  private static AppHandle app;
  private static Gates gates;
  private static String appId;
  private static String owner;

  @BeforeAll
  static void holdAnApplicationBetweenItsStages() throws Exception {
    cluster =
        StandaloneCluster.start(
            ClusterSpec.builder()
                .conf("spark.authenticate", "true")
                .conf("spark.authenticate.secret", SECRET)
                .build());
    gates = new Gates(folder);
    app =
        cluster.submitAsync(
            app(GatedJob.class)
                .onVerbena()
                .conf("spark.authenticate", "true")
                .conf("spark.authenticate.secret", SECRET)
                .conf("spark.shuffle.rdma.pool.limit", "1m")
                .conf("spark.shuffle.rdma.pool.regionSize", "1m")
                .conf("spark.shuffle.rdma.chunkSize", "64k")
                .args(folder.toString(), LOAD.toString(), "1")
                .build());
    appId = app.awaitAppId(LIMIT);
    owner = gates.awaitSomebodyAt("0-map-0");
    gates.open("0-map-0");
    gates.awaitSomebodyAt("0-between");
  }

  @AfterAll
  static void letItGoOn() throws Exception {
    try {
      gates.open("0-between", "0-reduce-0", "0-reduce-1", "0-reducing-0", "0-reducing-1");
      AppResult result = app.waitFor(LIMIT);
      Submitted.assertRight(result, Job.PARTITION_BY.expected(LOAD));
    } finally {
      cluster.close();
    }
  }

  @Test
  void filesAndFoldersAreOfTheirUserAlone() throws IOException {
    assertThat(poolFiles())
        .allSatisfy(file -> assertThat(modes(file)).as("%s", file).isEqualTo("rw-------"));
    assertThat(PoolFiles.runFiles(cluster, appId, 0))
        .isNotEmpty()
        .allSatisfy(file -> assertThat(modes(file)).as("%s", file).isEqualTo("rw-------"));
    assertThat(poolFolder()).satisfies(each -> assertThat(modes(each)).isEqualTo("rwx------"));
    assertThat(poolFolder().getParent())
        .satisfies(each -> assertThat(modes(each)).isEqualTo("rwx------"));
  }

  @Test
  void aProcessOfAnotherUserOpensNothing() throws Exception {
    assumeThat(OtherUser.available()).as("is root, which can start processes of others").isTrue();
    assertThatOtherUserRunsAtAll();

    assertDenied(OtherUser.list(poolFolder().getParent()));
    assertDenied(OtherUser.list(poolFolder()));
    for (Path file : poolFiles()) {
      assertDenied(OtherUser.readFromRoot(file));
      assertDenied(OtherUser.read(file));
    }
    for (Path file : PoolFiles.runFiles(cluster, appId, 0)) {
      assertDenied(OtherUser.read(file));
    }
  }

  private static void assertThatOtherUserRunsAtAll() throws IOException, InterruptedException {
    Path open = Files.createTempFile(PoolFiles.SHM, "open-to-all-", "");
    try {
      Files.writeString(open, "!");
      Files.setPosixFilePermissions(open, PosixFilePermissions.fromString("rw-r--r--"));
      assertThat(OtherUser.read(open)).isEqualTo(new OtherUser.Attempt(0, "!"));
    } finally {
      Files.delete(open);
    }
  }

  @Test
  void blocksGoToPeersThatKnowTheSecretAlone() throws Exception {
    int port =
        Integer.parseInt(
            app.awaitLog(
                Pattern.compile("BlockManagerId\\(" + owner + ", 127\\.0\\.0\\.1, (\\d+), None\\)"),
                LIMIT));
    BlockPeer block = new BlockPeer(port, appId, owner, "shuffle_0_" + mapId() + "_1");

    assertThat(block.ask(SECRET))
        .satisfies(got -> assertThat(got.bytes()).as(got.failure()).isPositive());
    assertThat(block.ask("another secret"))
        .satisfies(
            got -> {
              assertThat(got.bytes()).isZero();
              assertThat(got.failure()).contains("Mismatched response");
            });
    assertThat(block.ask(null))
        .satisfies(
            got -> {
              assertThat(got.bytes()).isZero();
              assertThat(got.failure()).contains("Expected SaslMessage");
            });
  }

  /** Of the one map task, as the names of its run files tell. */
  private static String mapId() {
    String name = PoolFiles.runFiles(cluster, appId, 0).get(0).getFileName().toString();
    return name.split("-", 4)[2];
  }

  private static void assertDenied(OtherUser.Attempt attempt) {
    assertThat(attempt.output()).contains("Permission denied");
    assertThat(attempt.exitCode()).isNotZero();
  }

  private static Path poolFolder() {
    List<Path> folders = PoolFiles.folders(PoolFiles.SHM, appId + "-" + owner);
    assertThat(folders).hasSize(1);
    return folders.get(0);
  }

  /** Regions, control area and lock of the executor with the map output. */
  private static List<Path> poolFiles() throws IOException {
    try (Stream<Path> files = Files.list(poolFolder())) {
      List<Path> all = new ArrayList<>(files.toList());
      assertThat(all)
          .extracting(each -> each.getFileName().toString())
          .contains("lock", "control", "region-0");
      return all;
    }
  }

  private static String modes(Path path) {
    try {
      return PosixFilePermissions.toString(Files.getPosixFilePermissions(path));
    } catch (IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
  }
}
