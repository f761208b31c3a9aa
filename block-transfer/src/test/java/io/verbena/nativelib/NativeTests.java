package io.verbena.nativelib;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** What tests of native code share: the library, the device that is not there, other processes. */
final class NativeTests {
  private static final long LIMIT_SECONDS = 120;
  private static final String RESOURCE =
      "/META-INF/native/linux-" + machine() + "/libverbena_verbs.so";

  private static Path built;

  private NativeTests() {}

  private static String machine() {
    String arch = System.getProperty("os.arch");
    return arch.equals("amd64") ? "x86_64" : arch;
  }

  /** Skips the test where the build could not make the library, unless it had to. */
  static void assumeVerbsLibrary() {
    boolean there = NativeTests.class.getResource(RESOURCE) != null;
    assertThat(there || !"required".equals(System.getenv("VERBENA_NATIVE")))
        .as("VERBENA_NATIVE=required, and no " + RESOURCE)
        .isTrue();
    assumeTrue(there, "built without rdma-core's headers or a C compiler: no " + RESOURCE);
  }

  /** Compiles {@code src/test/c} once and puts the library there as {@code libdisni.so}. */
  static synchronized Path build() throws IOException, InterruptedException {
    assumeVerbsLibrary();
    if (built == null) {
      built = compile();
    }
    return built;
  }

  private static Path compile() throws IOException, InterruptedException {
    Path folder = Path.of("target", "native-tests").toAbsolutePath();
    Files.createDirectories(folder);
    Result compiled =
        run(
            List.of("sh", "src/test/c/build", folder.toString()),
            Map.of("JAVA_HOME", System.getProperty("java.home")));
    assertThat(compiled.exitCode).as(compiled.output).isZero();
    try (InputStream in = NativeTests.class.getResourceAsStream(RESOURCE)) {
      Files.copy(in, folder.resolve("libdisni.so"), StandardCopyOption.REPLACE_EXISTING);
    }
    return folder;
  }

  /** A JVM with the class path of this one. */
  static List<String> java(Class<?> main, String... options) {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of(options));
    command.addAll(List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-Xmx64m"));
    command.addAll(List.of("-cp", System.getProperty("java.class.path"), main.getName()));
    return command;
  }

  /**
   * What a process left.
   *
   * @param output both streams
   */
  record Result(int exitCode, String output) {}

  static Result run(List<String> command, Map<String, String> environment)
      throws IOException, InterruptedException {
    Path output = Files.createTempFile("verbena-native-test", ".log");
    try {
      ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
      builder.environment().putAll(environment);
      Process process = builder.redirectOutput(output.toFile()).start();
      boolean ended = process.waitFor(LIMIT_SECONDS, TimeUnit.SECONDS);
      if (!ended) {
        process.destroyForcibly().waitFor();
      }
      String text = Files.readString(output, StandardCharsets.UTF_8);
      assertThat(ended).as("%s takes more than %d s: %s", command, LIMIT_SECONDS, text).isTrue();
      return new Result(process.exitValue(), text);
    } finally {
      Files.delete(output);
    }
  }
}
