package io.verbena.doctor;

import static io.verbena.doctor.MadeUpHost.GIB;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import com.grack.nanojson.JsonArray;
import com.grack.nanojson.JsonObject;
import com.grack.nanojson.JsonParser;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Java, Spark, folders and settings, and how all is reported. */
class SoftwareOfHostsTest extends DoctorFixture {
  private static final String NO_DEVICE = "spark.shuffle.rdma.transports=shm,netty";

  @Test
  void executorsOnJava11Fail() {
    host.env("JAVA_HOME", "/opt/jdk-11")
        .file("/opt/jdk-11/release", "IMPLEMENTOR=\"x\"", "JAVA_VERSION=\"11.0.22\"");
    assertFinding(
        host.look(NO_DEVICE),
        "java.version",
        Level.FAIL,
        "11.0.22",
        "Java 17",
        "--conf spark.executorEnv.JAVA_HOME=/path/to/jdk");
  }

  @ParameterizedTest
  @CsvSource({"1.8.0_392, FAIL", "16, FAIL", "17.0.9, OK", "21.0.1, WARN", "25, OK", "25-ea, OK"})
  void javaOfExecutorsIsTheOneThatTheJobNames(String version, Level level) {
    host.file("/opt/jdk/release", "JAVA_VERSION=\"" + version + "\"");
    Report report = host.look(NO_DEVICE, "spark.executorEnv.JAVA_HOME=/opt/jdk");
    assertThat(worst(report, "java.version").level()).isEqualTo(level);
  }

  @Test
  void java25NeedsANewSpark() {
    host.property("java.specification.version", "25").env("SPARK_HOME", "/opt/spark");
    host.file("/opt/spark/jars/spark-core_2.13-4.2.0.jar");
    assertAllWell(host.look(NO_DEVICE));
    host.env("SPARK_HOME", "/opt/spark4").file("/opt/spark4/jars/spark-core_2.13-4.1.2.jar");
    assertFinding(
        host.look(NO_DEVICE), "java.version", Level.WARN, "25", "Java 17 for Spark 4.1.2", "jdk17");
  }

  @ParameterizedTest
  @CsvSource({
    "spark-core_2.12-3.5.8.jar, OK",
    "spark-core_2.13-3.5.8.jar, OK",
    "spark-core_2.13-4.1.2.jar, OK",
    "spark-core_2.13-4.2.0-SNAPSHOT.jar, OK",
    "spark-core_2.12-3.4.1.jar, FAIL",
    "spark-core_2.12-4.0.2.jar, FAIL",
    "spark-core_2.13-4.20.0.jar, FAIL"
  })
  void sparkAndScalaAreReadFromTheJarsName(String jar, Level level) {
    host.env("SPARK_HOME", "/opt/spark").file("/opt/spark/jars/" + jar);
    Report report = host.look(NO_DEVICE);
    assertThat(worst(report, "spark.version").level()).isEqualTo(level);
    assertThat(worst(report, "spark.version").seen()).contains("in /opt/spark/jars");
    if (level == Level.FAIL) {
      assertThat(worst(report, "spark.version").needed()).contains("3.5 (Scala 2.12, 2.13)");
    }
  }

  @Test
  void sparkOnTheClassPathIsFoundToo() {
    host.property("java.class.path", "/a/verbena-0.1.0.jar:/b/spark-core_2.13-4.0.2.jar");
    assertThat(worst(host.look(NO_DEVICE), "spark.version").seen())
        .isEqualTo("4.0.2 with Scala 2.13, in the class path");
  }

  @Test
  void homeWithoutSparkIsWarnedOf() {
    host.env("SPARK_HOME", "/opt/nothing");
    assertFinding(
        host.look(NO_DEVICE),
        "spark.version",
        Level.WARN,
        "SPARK_HOME=/opt/nothing has no jars",
        "the folder of a Spark installation",
        "export SPARK_HOME=/path/to/spark");
  }

  @Test
  void temporaryFolderWithNoexecIsPassedOver() {
    host.file(
        "/proc/self/mounts",
        "/dev/vda / ext4 rw 0 0",
        "tmpfs /tmp tmpfs rw,noexec 0 0",
        "tmpfs /dev/shm tmpfs rw 0 0");
    Report report = host.look(NO_DEVICE);
    assertAllWell(report);
    assertThat(worst(report, "native.folder").seen()).isEqualTo("/dev/shm; not /tmp (noexec)");
  }

  @Test
  void hostWhereAllFoldersAreNoexecIsToldTheOption() {
    host.file(
        "/proc/self/mounts", "/dev/vda / ext4 rw,noexec 0 0", "tmpfs /dev/shm tmpfs rw,noexec 0 0");
    assertFinding(
        host.look(NO_DEVICE),
        "native.folder",
        Level.FAIL,
        "/tmp (noexec), /dev/shm (noexec)",
        "without noexec",
        "-Dverbena.native.folder=/path/to/folder");
  }

  @Test
  void settingsAreCheckedAsTheShuffleDoes() {
    Report report =
        host.look(
            "spark.shuffle.rdma.pool.regionSize=300m",
            "spark.shuffle.service.enabled=true",
            "spark.executor.memory=1.5g");
    assertThat(report.findings())
        .filteredOn(finding -> finding.level() == Level.FAIL)
        .extracting(Finding::seen, Finding::needed, Finding::mend)
        .containsExactly(
            tuple(
                "spark.shuffle.rdma.pool.regionSize=300m: not a power of two",
                "a power of two from 1m to 1g (default: 256m)",
                "use 256m or 512m"),
            tuple(
                "spark.executor.memory=1.5g: a size cannot have a fraction",
                "another value",
                "write a whole number and a unit (b, k, m, g, t, p), such as 2g"),
            tuple(
                "spark.shuffle.service.enabled=true: the external shuffle service cannot serve"
                    + " blocks that live in executors' memory",
                "another value",
                "set it to false, and with dynamic allocation set"
                    + " spark.dynamicAllocation.shuffleTracking.enabled=true"));
  }

  @Test
  void jobThatDoesNotUseTheShuffleIsWarnedOf() {
    assertFinding(
        host.look("spark.shuffle.manager=sort"),
        "configuration",
        Level.WARN,
        "sort",
        "io.verbena.spark.RdmaShuffleManager",
        "--conf spark.shuffle.manager=");
  }

  @Test
  void localDirectoriesAreTheJobs() {
    host.space("/data/a", "xfs", 900 * GIB, 800 * GIB);
    Report report =
        host.look(
            NO_DEVICE, "spark.shuffle.rdma.pool.backings=disk", "spark.local.dir=/data/a, /data/b");
    assertThat(report.sameHost().how()).isEqualTo("regions in /data/a");
    assertThat(report.text("test")).contains("warn  disk at /data/b: /data/b is not there");
    host.env("SPARK_LOCAL_DIRS", "/tmp");
    assertThat(
            host.look(NO_DEVICE, "spark.shuffle.rdma.pool.backings=disk", "spark.local.dir=/data/a")
                .sameHost()
                .how())
        .isEqualTo("regions in /tmp");
  }

  @Test
  void textEndsWithWhatExecutorsWouldUseAndWhy() {
    assertThat(host.look().text("1.2.3"))
        .startsWith("verbena 1.2.3 doctor on node7, Linux 6.1.0-13-amd64\n\nok    ")
        .contains("\nwarn  RDMA devices: none: /sys/class/infiniband is empty\n      needed: a dev")
        .contains("\n      mend:   load the driver")
        .endsWith(
            """

            Executors on this host would read
              one another, by: shm (regions in /dev/shm)
              executors on other hosts, by: netty (Spark's own block transfer)
                not verbs: RDMA devices: none: /sys/class/infiniband is empty
            """);
  }

  @Test
  void jsonHasTheKeysThatAreDocumented() throws Exception {
    JsonObject json = JsonParser.object().from(host.look().json("1.2.3"));
    assertThat(json.keySet())
        .containsExactlyInAnyOrder(
            "version", "host", "kernel", "exitCode", "findings", "transports");
    assertThat(json.getInt("exitCode")).isEqualTo(1);
    JsonArray findings = json.getArray("findings");
    assertThat(findings.getObject(0).keySet())
        .containsExactlyInAnyOrder("check", "subject", "level", "seen", "needed", "mend");
    JsonObject others = json.getObject("transports").getObject("otherHosts");
    assertThat(others.keySet()).containsExactlyInAnyOrder("transport", "how", "passed");
    assertThat(others.getString("transport")).isEqualTo("netty");
    assertThat(others.getArray("passed").getObject(0).getString("transport")).isEqualTo("verbs");
    assertThat(json.getObject("transports").getObject("sameHost").getString("transport"))
        .isEqualTo("shm");
  }
}
