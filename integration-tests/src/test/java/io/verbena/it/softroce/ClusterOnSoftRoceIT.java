package io.verbena.it.softroce;

import static io.verbena.it.Submitted.falls;
import static io.verbena.it.Submitted.readBytes;
import static io.verbena.it.Submitted.transports;
import static org.assertj.core.api.Assertions.assertThat;

import io.verbena.it.OnDemand;
import io.verbena.it.ScriptRun;
import io.verbena.it.SharedCluster;
import io.verbena.it.cluster.AppSpec;
import io.verbena.it.cluster.ProjectJars;
import io.verbena.it.cluster.SparkHome;
import io.verbena.it.cluster.StandaloneCluster;
import io.verbena.it.demo.ShuffleReport;
import io.verbena.it.jobs.Job;
import io.verbena.it.jobs.Outcome;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/**
 * Jobs on clusters of two executors whose blocks travel by RDMA READ: within one virtual machine,
 * and between two. A job between two without faults is the demo's.
 */
@ExtendWith(SharedCluster.class)
final class ClusterOnSoftRoceIT {
  private static final Duration LIMIT = Duration.ofMinutes(12);
  private static final String TRAJECTORY = "io.verbena.apps.trajectory.TrajectoryAnalysis";
  private SparkHosts hosts;
  @TempDir private Path folder;

  /** Both machines write below it. */
  private Path out;

  @BeforeEach
  void prepare() throws IOException {
    out = Files.createDirectory(folder.resolve("out"));
    hosts =
        new SparkHosts(
            SparkHome.locate(),
            List.of(ProjectJars.testApplications(), ProjectJars.applications()),
            out);
  }

  @OnDemand
  @Test
  void trajectoryOfTwoExecutorsOfOneHostIsReadByVerbsAlone(StandaloneCluster cluster)
      throws Exception {
    Path byVerbs = out.resolve("verbs.csv");

    ScriptRun ended = boot("run", hosts.driver(2, analysis(byVerbs).onVerbena().build()));

    assertRightByVerbs(ended, cluster);
  }

  @Test
  void lostPacketsAreSentAgainAndACutCableCostsNoRecord() throws Exception {
    Job.Load load = new Job.Load(120_000, 1_000, 2, 2);
    List<String> command = new ArrayList<>(List.of("--until-a", "--"));
    AppSpec app =
        AppSpec.builder(ProjectJars.testApplications(), CutCable.class.getName())
            .onVerbena()
            .addJar(ProjectJars.applications())
            // How long Spark waits for a host that it hears no more.
            .conf("spark.network.timeout", "60s")
            .conf("spark.network.timeoutInterval", "5s")
            .conf("spark.executor.heartbeatInterval", "5s")
            .conf("spark.shuffle.rdma.fetch.timeout", "15s")
            .conf("spark.shuffle.rdma.compress", "never")
            .args(load.toString())
            .build();
    command.addAll(losing(hosts.driver(1, app)));
    command.add("--");
    command.addAll(losing(hosts.worker()));

    ScriptRun ended = boot("pair", command);

    assertThat(ended.code()).as(ended.out() + ended.err()).isZero();
    Outcome right = Job.PARTITION_BY.expected(load);
    assertThat(outOf(ended, "a"))
        .filteredOn(line -> !line.startsWith("qdisc") && !line.startsWith(" "))
        .containsExactly(right.toString(), right.toString());
    // What netem has dropped when the cable is cut: the first round met losses.
    assertThat(ended.out()).containsPattern("a:  Sent .*dropped [1-9]");
    assertThat(ended.err()).contains("cable cut").contains("FetchFailed");
  }

  private ScriptRun boot(String mode, List<String> command)
      throws IOException, InterruptedException {
    List<String> arguments = new ArrayList<>(hosts.options());
    arguments.addAll(command);
    return SoftRoce.boot(folder, LIMIT, mode, arguments.toArray(String[]::new));
  }

  private static AppSpec.Builder analysis(Path result) {
    return AppSpec.builder(ProjectJars.applications(), TRAJECTORY)
        .args("--input", ProjectJars.sampleTrajectory().toString())
        .args("--output", result.toString());
  }

  /** The command, on a host that loses one of a hundred packets that it sends. */
  private static List<String> losing(List<String> command) {
    List<String> line = new ArrayList<>();
    line.addAll(
        List.of("sh", "-c", "tc qdisc add dev eth0 root netem loss 1% && exec \"$@\"", "losing"));
    line.addAll(command);
    return line;
  }

  private void assertRightByVerbs(ScriptRun ended, StandaloneCluster cluster) throws Exception {
    assertThat(ended.code()).as(ended.out() + ended.err()).isZero();
    Path onSpark = folder.resolve("spark.csv");
    AppSpec.Builder own = analysis(onSpark).quickStart().conf("spark.shuffle.manager", "sort");
    cluster.submit(own.build()).orThrow();
    assertThat(out.resolve("verbs.csv")).hasSameBinaryContentAs(onSpark);

    ShuffleReport report =
        ShuffleReport.lastIn(ended.err()).orElseThrow(() -> new AssertionError(ended.err()));
    assertThat(transports(report)).containsExactly("verbs");
    assertThat(report.executors())
        .hasSize(2)
        .allSatisfy(each -> assertThat(each.readBytes().get("verbs")).isPositive());
    assertThat(readBytes(report, "verbs")).isGreaterThan(1_000_000);
    assertThat(falls(report)).isEmpty();
  }

  /** A machine's standard output. */
  private static List<String> outOf(ScriptRun ended, String machine) {
    String prefix = machine + ": ";
    return ended
        .out()
        .lines()
        .filter(line -> line.startsWith(prefix))
        .map(line -> line.substring(prefix.length()))
        .toList();
  }
}
