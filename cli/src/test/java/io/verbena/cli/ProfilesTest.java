package io.verbena.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbena.conf.ConfOption;
import io.verbena.conf.ExecutorMemory;
import io.verbena.conf.RdmaConf;
import io.verbena.conf.RdmaOptions;
import io.verbena.conf.SparkConflicts;
import io.verbena.memory.Backing;
import io.verbena.memory.PoolForecast;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The profiles that come with the source. */
class ProfilesTest {
  private static final Path FOLDER = Path.of("..", "conf", "profiles");

  /** Settings of Spark's own that profiles use; a mistyped one would be ignored by Spark. */
  private static final List<String> SPARKS =
      List.of(
          "spark.shuffle.manager",
          "spark.shuffle.service.enabled",
          "spark.shuffle.push.enabled",
          "spark.dynamicAllocation.shuffleTracking.enabled",
          "spark.executor.memoryOverhead",
          "spark.kubernetes.executor.volumes.emptyDir.shm.mount.path",
          "spark.kubernetes.executor.volumes.emptyDir.shm.options.medium",
          "spark.kubernetes.executor.volumes.emptyDir.shm.options.sizeLimit");

  @TempDir Path folder;

  static List<Path> profiles() {
    try (Stream<Path> files = Files.list(FOLDER)) {
      return files.sorted().toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Test
  void thereIsOneForEachKindOfHostAndCluster() {
    assertThat(profiles())
        .extracting(path -> path.getFileName().toString())
        .containsExactly(
            "infiniband.conf",
            "iwarp.conf",
            "kubernetes.conf",
            "roce.conf",
            "single-host.conf",
            "soft-roce.conf",
            "yarn.conf");
  }

  private Map<String, String> read(Path profile) {
    return CommandsTest.settings(Map.of(), "--properties-file", profile.toString());
  }

  @ParameterizedTest
  @MethodSource("profiles")
  void allSettingsAreAllowedAndKnown(Path profile) {
    Map<String, String> settings = read(profile);
    assertThat(settings)
        .containsEntry("spark.shuffle.manager", "io.verbena.spark.RdmaShuffleManager");
    assertThat(RdmaConf.read(settings).transports()).isNotEmpty();
    assertThat(ExecutorMemory.read(settings).heap()).isPositive();
    assertThat(SparkConflicts.find(settings)).isEmpty();
    assertKnown(settings);
  }

  private static void assertKnown(Map<String, String> settings) {
    List<String> ours = RdmaOptions.all().stream().map(ConfOption::key).toList();
    assertThat(settings.keySet()).allMatch(key -> ours.contains(key) || SPARKS.contains(key));
  }

  /** What a comment offers has to work too. */
  @ParameterizedTest
  @MethodSource("profiles")
  void settingsThatAreCommentedOutAreAllowedToo(Path profile) throws IOException {
    String on = Files.readString(profile).replaceAll("(?m)^#(?=spark\\.)", "");
    Map<String, String> settings = read(Files.writeString(folder.resolve("on.conf"), on));
    assertThat(RdmaConf.read(settings).transports()).isNotEmpty();
    assertKnown(settings);
  }

  @ParameterizedTest
  @MethodSource("profiles")
  void everyLineIsExplainedAboveIt(Path profile) throws IOException {
    String before = "";
    for (String line : Files.readAllLines(profile)) {
      if (line.startsWith("spark.")) {
        assertThat(before).as("what stands above " + line).matches("[#s].*");
      }
      before = line;
    }
  }

  @Test
  void sharedMemoryThatAPodIsGivenHasRoomForItsPool() {
    Map<String, String> settings = read(FOLDER.resolve("kubernetes.conf"));
    RdmaConf rdma = RdmaConf.read(settings);
    String size = settings.get("spark.kubernetes.executor.volumes.emptyDir.shm.options.sizeLimit");
    assertThat(size).endsWith("Gi");
    assertThat(Long.parseLong(size.replace("Gi", "")) << 30)
        .isGreaterThanOrEqualTo(
            PoolForecast.room(
                Backing.TMPFS, rdma.poolLimit().orElseThrow(), rdma.poolRegionSize()));
  }

  @ParameterizedTest
  @MethodSource("profiles")
  void theDoctorHasNothingAgainstTheirSettings(Path profile) {
    StringWriter out = new StringWriter();
    Commands.commandLine(new PrintWriter(out, true), new PrintWriter(out, true))
        .execute("doctor", "--properties-file", profile.toString());
    assertThat(out.toString())
        .startsWith("verbena ")
        .contains("\nok    settings: " + read(profile).size() + " given, all allowed\n");
  }
}
