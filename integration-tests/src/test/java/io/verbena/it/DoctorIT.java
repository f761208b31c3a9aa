package io.verbena.it;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.verbena.doctor.Doctor;
import io.verbena.doctor.Host;
import io.verbena.host.FileSystems;
import io.verbena.host.HostFiles;
import io.verbena.host.Space;
import io.verbena.it.cluster.Await;
import io.verbena.it.cluster.ProjectJars;
import io.verbena.it.cluster.SparkHome;
import io.verbena.it.matrix.Target;
import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

/** The doctor of the one jar, on this machine. */
final class DoctorIT {
  static final List<Target> TARGETS = Target.ALL;

  private static final String COMMAND = "doctor";

  @TempDir private Path folder;

  private record Ended(int code, String out, String err) {}

  private Ended run(List<String> arguments) throws Exception {
    List<String> line = new ArrayList<>();
    line.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    line.addAll(arguments);
    Path out = folder.resolve("out.txt");
    Path err = folder.resolve("err.txt");
    ProcessBuilder builder =
        new ProcessBuilder(line).redirectOutput(out.toFile()).redirectError(err.toFile());
    builder.environment().keySet().removeIf(name -> name.startsWith("SPARK_"));
    Process process = builder.start();
    try {
      Await.until("the end of " + line, Duration.ofMinutes(1), () -> !process.isAlive());
      return new Ended(process.exitValue(), Files.readString(out), Files.readString(err));
    } finally {
      process.destroyForcibly();
    }
  }

  private static String seen(JsonNode report, String check) {
    for (JsonNode finding : report.path("findings")) {
      if (finding.path("check").asText().equals(check)) {
        return finding.path("level").asText() + " " + finding.path("seen").asText();
      }
    }
    throw new AssertionError("no finding " + check + " in " + report.toPrettyString());
  }

  @Test
  void jarAloneTellsAboutThisMachineWithoutSpark() throws Exception {
    Ended ended =
        run(
            List.of(
                "-jar",
                ProjectJars.verbena().toString(),
                COMMAND,
                "--json",
                "--conf",
                "spark.shuffle.manager=io.verbena.spark.RdmaShuffleManager",
                "--conf",
                "spark.shuffle.rdma.pool.limit=1g"));

    assertThat(ended.err()).isEmpty();
    JsonNode report = new ObjectMapper().readTree(ended.out());
    assertThat(ended.code()).isEqualTo(report.path("exitCode").asInt()).isBetween(0, 2);
    assertThat(seen(report, "configuration")).isEqualTo("ok 2 given, all allowed");
    assertThat(seen(report, "spark.version")).startsWith("ok not looked at");
    assertThat(seen(report, "java.opens")).startsWith("ok open");
    assertThat(seen(report, "pool.limit")).contains(" 1 GiB an executor (as set)");
    if (!Files.exists(Path.of("/sys/class/infiniband"))) {
      assertThat(seen(report, "rdma.device"))
          .isEqualTo("warn none: /sys/class/infiniband is empty");
      assertThat(report.path("transports").path("otherHosts").path("transport").asText())
          .isEqualTo("netty");
    }
  }

  @Test
  void jarBesideSparksTellsItsVersionAndUsesItsLogging() throws Exception {
    SparkHome spark = SparkHome.locate();
    Ended ended =
        run(
            List.of(
                "--add-opens=java.base/sun.nio.ch=ALL-UNNAMED",
                "-cp",
                ProjectJars.verbena() + File.pathSeparator + spark.path().resolve("jars/*"),
                "io.verbena.cli.Main",
                COMMAND,
                "--json"));

    JsonNode report = new ObjectMapper().readTree(ended.out());
    assertThat(seen(report, "spark.version"))
        .isEqualTo(
            "ok %s with Scala %s, in the class path"
                .formatted(spark.sparkVersion(), spark.scalaVersion()));
    assertThat(ended.code()).as(ended.err()).isEqualTo(report.path("exitCode").asInt());
  }

  @Test
  void wrongUsageIsToldApartFromFindings() throws Exception {
    Ended ended = run(List.of("-jar", ProjectJars.verbena().toString(), COMMAND, "--bogus"));
    assertThat(ended.code()).isEqualTo(64);
    assertThat(ended.err()).startsWith("Unknown option: '--bogus'").contains("verbena doctor");
    assertThat(ended.out()).isEmpty();
  }

  /** A host that is a folder, on which files can be made and nothing else is known. */
  private static final class Folder implements FileSystems {
    @Override
    public Space space(Path path) {
      return new Space("tmpfs", 1L << 40, 1L << 40, 4096);
    }

    @Override
    public boolean isWritable(Path path) {
      return true;
    }

    @Override
    public void open(Path file) {}
  }

  @ParameterizedTest
  @FieldSource("TARGETS")
  void everyTestedVersionIsASupportedOne(Target target) throws Exception {
    Path jars = Files.createDirectories(folder.resolve("spark/jars"));
    Files.createFile(
        jars.resolve("spark-core_%s-%s.jar".formatted(target.scala(), target.spark())));
    Host host =
        new Host(
            new HostFiles(folder, new Folder()),
            Map.of("SPARK_HOME", "/spark"),
            Map.of(
                "java.specification.version",
                Integer.toString(target.java()),
                "java.io.tmpdir",
                "/tmp",
                "user.home",
                "/root"),
            network -> List.of(),
            true,
            (name, rdma) -> "");

    JsonNode report = new ObjectMapper().readTree(Doctor.look(host, Map.of()).json("test"));

    assertThat(seen(report, "spark.version")).startsWith("ok " + target.spark());
    assertThat(seen(report, "java.version")).isEqualTo("ok " + target.java());
  }
}
