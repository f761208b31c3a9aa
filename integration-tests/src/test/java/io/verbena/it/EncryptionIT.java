package io.verbena.it;

import static io.verbena.it.Submitted.app;
import static org.assertj.core.api.Assertions.assertThat;

import io.verbena.it.cluster.AppHandle;
import io.verbena.it.cluster.AppResult;
import io.verbena.it.cluster.ExecutorProcess;
import io.verbena.it.cluster.StandaloneCluster;
import io.verbena.it.jobs.GatedJob;
import io.verbena.it.jobs.Gates;
import io.verbena.it.jobs.Job;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Where records stand in plain text while a shuffle lives, with {@code spark.io.encryption.enabled}
 * and without. Without it they are found in every place, so that the search is known to see them.
 */
@ExtendWith(SharedCluster.class)
final class EncryptionIT {
  private static final Duration LIMIT = Duration.ofMinutes(3);

  /** One map task with more than a pool of 1 MiB holds. */
  private static final Job.Load LOAD = new Job.Load(40_000, 1_000, 1, 2);

  /** Every value begins with it. */
  private static final String MARKER = "record-";

  /** Half a chunk: ciphers, codecs and streams have smaller buffers. */
  private static final int BUFFER = 32 << 10;

  @TempDir Path folder;

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void recordsStandInPoolRunFilesAndBuffersInPlainTextOnlyWithoutEncryption(
      boolean encrypted, StandaloneCluster cluster) throws Exception {
    Gates gates = new Gates(folder);
    gates.open("0-map-0", "0-between", "0-reduce-0", "0-reduce-1");
    try (AppHandle app =
        cluster.submitAsync(
            app(GatedJob.class)
                .onVerbena()
                .conf("spark.io.encryption.enabled", Boolean.toString(encrypted))
                .conf("spark.shuffle.rdma.compress", "never")
                .conf("spark.shuffle.rdma.pool.limit", "1m")
                .conf("spark.shuffle.rdma.pool.regionSize", "1m")
                .conf("spark.shuffle.rdma.chunkSize", "64k")
                .args(folder.toString(), LOAD.toString(), "1")
                .build())) {
      String appId = app.awaitAppId(LIMIT);
      gates.awaitSomebodyAt("0-reducing-0");
      gates.awaitSomebodyAt("0-reducing-1");
      look(cluster, appId, encrypted);
      gates.open("0-reducing-0", "0-reducing-1");
      AppResult result = app.waitFor(LIMIT);
      Submitted.assertRight(result, Job.PARTITION_BY.expected(LOAD));
    }
  }

  private static void look(StandaloneCluster cluster, String appId, boolean encrypted)
      throws IOException {
    List<ExecutorProcess> executors = cluster.executors(appId);
    assertThat(executors).hasSize(2);
    List<Path> regions =
        Stream.concat(
                PoolFiles.regions(appId, executors.get(0).executorId()).stream(),
                PoolFiles.regions(appId, executors.get(1).executorId()).stream())
            .toList();
    List<Path> runs = PoolFiles.runFiles(cluster, appId, 0);
    assertThat(regions).anySatisfy(each -> assertPlain(text(each), !encrypted));
    assertThat(runs).isNotEmpty().allSatisfy(each -> assertPlain(text(each), !encrypted));
    if (encrypted) {
      // Whatever else is in the way of a record: sorting, spilling, broadcasts.
      assertThat(allFiles(cluster, appId, regions))
          .hasSizeGreaterThan(regions.size() + runs.size())
          .allSatisfy(each -> assertPlain(text(each), false));
    }
    List<Path> stored = Stream.concat(regions.stream(), runs.stream()).toList();
    for (ExecutorProcess executor : executors) {
      // One of them has read from the other's files, which wrote them.
      assertThat(ProcessMemory.stretches(executor.pid(), stored, BUFFER))
          .as("buffers with what is stored, in %s", executor)
          .isNotEmpty()
          .allSatisfy(each -> assertPlain(latin(each), !encrypted));
    }
  }

  private static void assertPlain(String text, boolean plain) {
    // Not by an assertion on the text: its message would be the text.
    assertThat(text.contains(MARKER)).as("\"%s\" is there", MARKER).isEqualTo(plain);
  }

  private static List<Path> allFiles(StandaloneCluster cluster, String appId, List<Path> regions)
      throws IOException {
    List<Path> all = new ArrayList<>(regions);
    for (Path folder : cluster.localDirs(appId)) {
      try (Stream<Path> files = Files.walk(folder)) {
        files
            .filter(each -> Files.isRegularFile(each) && !each.toString().endsWith(".jar"))
            .forEach(all::add);
      }
    }
    return all;
  }

  private static String text(Path file) {
    try {
      return latin(Files.readAllBytes(file));
    } catch (IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
  }

  private static String latin(byte[] bytes) {
    return new String(bytes, StandardCharsets.ISO_8859_1);
  }
}
