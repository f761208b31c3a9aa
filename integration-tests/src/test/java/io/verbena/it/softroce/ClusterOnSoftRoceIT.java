package io.verbena.it.softroce;

import static io.verbena.it.Submitted.falls;
import static io.verbena.it.Submitted.readBytes;
import static io.verbena.it.Submitted.transports;
import static org.assertj.core.api.Assertions.assertThat;

import io.verbena.it.OnDemand;
import io.verbena.it.ScriptRun;
import io.verbena.it.SharedCluster;
import io.verbena.it.cluster.AppSpec;
import io.verbena.it.cluster.JavaHome;
import io.verbena.it.cluster.ProjectJars;
import io.verbena.it.cluster.SparkHome;
import io.verbena.it.cluster.SparkJvm;
import io.verbena.it.cluster.StandaloneCluster;
import io.verbena.it.demo.ShuffleReport;
import io.verbena.it.jobs.Job;
import io.verbena.it.jobs.Outcome;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/**
 * Jobs on clusters of two executors whose blocks travel by RDMA READ: within one virtual machine,
 * and between two.
 */
@ExtendWith(SharedCluster.class)
final class ClusterOnSoftRoceIT {
  private static final Duration LIMIT = Duration.ofMinutes(12);
  private static final String TRAJECTORY = "io.verbena.apps.trajectory.TrajectoryAnalysis";
  private static final String LOG =
      """
      status = error
      rootLogger.level = warn
      rootLogger.appenderRef.console.ref = console
      logger.verbena.name = io.verbena
      logger.verbena.level = info
      appender.console.type = Console
      appender.console.name = console
      appender.console.target = SYSTEM_ERR
      appender.console.layout.type = PatternLayout
      appender.console.layout.pattern = %d{HH:mm:ss.SSS} %p %c{1}: %m%n%ex
      """;

  private SparkJvm spark;
  @TempDir private Path folder;

  /** Both machines write below it. */
  private Path out;

  @BeforeEach
  void prepare() throws IOException {
    out = Files.createDirectory(folder.resolve("out"));
    Files.writeString(out.resolve("log4j2.properties"), LOG);
    spark =
        new SparkJvm(SparkHome.locate(), JavaHome.current())
            .options(List.of("-Xmx512m", logging()))
            .inheritedOptions(AppSpec.QUICK_START)
            .addClassPath(ProjectJars.testApplications())
            .addClassPath(ProjectJars.applications());
  }

  @OnDemand
  @Test
  void trajectoryOfTwoExecutorsOfOneHostIsReadByVerbsAlone(StandaloneCluster cluster)
      throws Exception {
    List<String> command = driver(2);
    command.addAll(analysis(out.resolve("verbs.csv")));

    ScriptRun ended = boot("run", command);

    assertRightByVerbs(ended, cluster);
  }

  @Test
  void trajectoryOfTwoHostsIsReadByVerbsAlone(StandaloneCluster cluster) throws Exception {
    List<String> command = new ArrayList<>(List.of("--until-a", "--"));
    command.addAll(driver(1));
    command.addAll(analysis(out.resolve("verbs.csv")));
    command.add("--");
    command.addAll(worker());

    ScriptRun ended = boot("pair", command);

    assertRightByVerbs(ended, cluster);
  }

  @Test
  void lostPacketsAreSentAgainAndACutCableCostsNoRecord() throws Exception {
    Job.Load load = new Job.Load(120_000, 1_000, 2, 2);
    List<String> command = new ArrayList<>(List.of("--until-a", "--"));
    List<String> driver = driver(1);
    driver.addAll(
        List.of(
            // How long Spark waits for a host that it hears no more.
            "--conf",
            "spark.network.timeout=60s",
            "--conf",
            "spark.network.timeoutInterval=5s",
            "--conf",
            "spark.executor.heartbeatInterval=5s",
            "--conf",
            "spark.shuffle.rdma.fetch.timeout=15s",
            "--conf",
            "spark.shuffle.rdma.compress=never",
            "--class",
            CutCable.class.getName(),
            ProjectJars.testApplications().toString(),
            load.toString()));
    command.addAll(losing(driver));
    command.add("--");
    command.addAll(losing(worker()));

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
    List<String> arguments = new ArrayList<>(List.of("--out", out.toString()));
    Map<String, String> env = new LinkedHashMap<>(spark.env());
    env.remove("SPARK_LOCAL_IP"); // Here the hosts are two.
    env.forEach((name, value) -> arguments.addAll(List.of("--env", name + "=" + value)));
    arguments.addAll(command);
    return SoftRoce.boot(folder, LIMIT, mode, arguments.toArray(String[]::new));
  }

  /** What starts the host of the driver, up to what is submitted. */
  private List<String> driver(int workers) {
    List<String> command =
        host(List.of("driver", Integer.toString(workers), out.resolve("work").toString()));
    command.addAll(List.of("--jars", ProjectJars.verbena() + "," + ProjectJars.applications()));
    List<String> conf =
        List.of(
            "spark.shuffle.manager=" + AppSpec.VERBENA_MANAGER,
            "spark.shuffle.rdma.transports=verbs",
            "spark.ui.enabled=false",
            "spark.cores.max=2",
            "spark.executor.memory=512m",
            "spark.scheduler.minRegisteredResourcesRatio=1.0",
            "spark.scheduler.maxRegisteredResourcesWaitingTime=240s",
            "spark.executor.extraJavaOptions=" + logging());
    conf.forEach(each -> command.addAll(List.of("--conf", each)));
    return command;
  }

  private static List<String> analysis(Path result) {
    return List.of(
        "--class",
        TRAJECTORY,
        ProjectJars.applications().toString(),
        "--input",
        ProjectJars.sampleTrajectory().toString(),
        "--output",
        result.toString());
  }

  private List<String> worker() {
    return host(List.of("worker", out.resolve("work").toString()));
  }

  private List<String> host(List<String> arguments) {
    List<String> main = new ArrayList<>(List.of(SparkHost.class.getName()));
    main.addAll(arguments);
    return spark.command(main);
  }

  private String logging() {
    return "-Dlog4j2.configurationFile=" + out.resolve("log4j2.properties");
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
    AppSpec.Builder own =
        AppSpec.builder(ProjectJars.applications(), TRAJECTORY)
            .quickStart()
            .conf("spark.shuffle.manager", "sort")
            .args("--input", ProjectJars.sampleTrajectory().toString())
            .args("--output", onSpark.toString());
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
