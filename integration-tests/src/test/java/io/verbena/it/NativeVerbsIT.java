package io.verbena.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.verbena.it.softroce.SoftRoce;
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
  private static final Duration LIMIT = Duration.ofMinutes(5);

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
    List<String> arguments = new ArrayList<>(List.of("--"));
    arguments.addAll(java(program));
    ScriptRun ended = SoftRoce.boot(folder, LIMIT, "run", arguments.toArray(String[]::new));
    assertThat(ended.out()).as(ended.err()).isEqualTo("all held\n");
    assertThat(ended.code()).isZero();
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
