package io.verbena.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.verbena.it.cluster.Await;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The native library behind DiSNI on the kernel's own RDMA stack, in a virtual machine. */
final class NativeVerbsIT {
  private static final Path PROJECT = Path.of("..").toAbsolutePath().normalize();
  private static final Path CLASSES = PROJECT.resolve("block-transfer/target/classes");
  private static final int MISSING = 69;
  private static final Duration LIMIT = Duration.ofMinutes(6);

  @TempDir private Path folder;

  @Test
  void readAndMisuseHoldOnSoftRoceUnderCheckedJni() throws Exception {
    allHolds("io.verbena.nativelib.DisniMisuse");
  }

  @Test
  void removedDeviceIsLetGoOfAndUsedAgainWhenItIsBack() throws Exception {
    allHolds("io.verbena.nativelib.DisniRemoval");
  }

  private void allHolds(String program) throws Exception {
    Path library =
        CLASSES.resolve(
            "META-INF/native/linux-%s/libverbena_verbs.so"
                .formatted(System.getProperty("os.arch").replace("amd64", "x86_64")));
    assumeTrue(Files.exists(library), "built without rdma-core's headers: no " + library);
    Files.copy(library, folder.resolve("libdisni.so"));
    Path output = folder.resolve("output");
    Path errors = folder.resolve("errors");
    List<String> command = new ArrayList<>();
    command.add(PROJECT.resolve("bin/soft-roce").toString());
    command.addAll(List.of("run", "--limit", "300", "--"));
    command.addAll(java(program));
    Process process =
        new ProcessBuilder(command)
            .redirectOutput(output.toFile())
            .redirectError(errors.toFile())
            .start();
    try {
      Await.until("the end of " + command, LIMIT, () -> !process.isAlive());
    } finally {
      process.destroy();
    }
    assumeTrue(process.exitValue() != MISSING, () -> "no virtual machine here, see bin/soft-roce");
    assertThat(Files.readString(output)).as(Files.readString(errors)).isEqualTo("all held\n");
    assertThat(process.exitValue()).isZero();
  }

  private List<String> java(String program) throws Exception {
    Path slf4j =
        Path.of(
            org.slf4j.LoggerFactory.class
                .getProtectionDomain()
                .getCodeSource()
                .getLocation()
                .toURI());
    String classPath =
        String.join(
            ":",
            CLASSES.toString(),
            PROJECT.resolve("block-transfer/target/test-classes").toString(),
            CLASSES.resolve("META-INF/verbena/disni").toString(),
            slf4j.toString());
    return List.of(
        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
        "-Xcheck:jni",
        "-XX:TieredStopAtLevel=1",
        "-XX:+UseSerialGC",
        "-Xmx64m",
        "--add-opens=java.base/sun.nio.ch=ALL-UNNAMED",
        "-Djava.library.path=" + folder,
        "-cp",
        classPath,
        program,
        "10.99.0.1");
  }
}
