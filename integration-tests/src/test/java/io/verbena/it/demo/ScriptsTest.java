package io.verbena.it.demo;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbena.it.ScriptRun;
import io.verbena.it.matrix.Matrix;
import io.verbena.it.suites.SparkSuites;
import io.verbena.it.tpch.TpchCommand;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The scripts of {@code bin/}, as far as they go without building anything. */
final class ScriptsTest {
  @TempDir private Path folder;

  private ScriptRun run(Map<String, String> env, String... command)
      throws IOException, InterruptedException {
    return ScriptRun.of(folder, Duration.ofMinutes(1), env, List.of(command));
  }

  @Test
  void helpOfTheDemoIsWhatTheDemoItselfPrints() throws Exception {
    ScriptRun ended = run(Map.of(), "demo", "--scale", "3", "--help");
    assertThat(ended.code()).isZero();
    assertThat(ended.out())
        .as("bin/demo's usage is stale: replace it by this")
        .isEqualTo(Demo.commandLine().getUsageMessage());
  }

  @Test
  void helpOfTheMatrixIsWhatTheMatrixItselfPrints() throws Exception {
    ScriptRun ended = run(Map.of(), "matrix", "--short", "--spark", "4.2.0", "--help");
    assertThat(ended.code()).isZero();
    assertThat(ended.out())
        .as("bin/matrix's usage is stale: replace it by this")
        .isEqualTo(Matrix.commandLine().getUsageMessage());
  }

  @Test
  void helpOfSparksSuitesIsWhatTheRunnerItselfPrints() throws Exception {
    ScriptRun ended = run(Map.of(), "spark-suites", "--own", "--group", "sql", "--help");
    assertThat(ended.code()).isZero();
    assertThat(ended.out())
        .as("bin/spark-suites's usage is stale: replace it by this")
        .isEqualTo(SparkSuites.commandLine().getUsageMessage());
  }

  @Test
  void helpOfTpchIsWhatTpchItselfPrints() throws Exception {
    ScriptRun ended = run(Map.of(), "tpch", "--scale", "1", "--help");
    assertThat(ended.code()).isZero();
    assertThat(ended.out())
        .as("bin/tpch's usage is stale: replace it by this")
        .isEqualTo(TpchCommand.commandLine().getUsageMessage());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"demo", "test", "matrix", "spark-suites", "tpch", "doctor", "serve", "ping"})
  void unknownOptionEndsWithUsageOnStandardErrorAndExitCode64(String script) throws Exception {
    ScriptRun ended = run(Map.of(), script, "--bogus");
    assertThat(ended.code()).isEqualTo(64);
    assertThat(ended.err())
        .startsWith("bin/" + script + ": unknown option: --bogus\n")
        .containsIgnoringCase("usage: bin/" + script);
    assertThat(ended.out()).isEmpty();
  }

  @Test
  void optionWithoutItsValueIsNamed() throws Exception {
    ScriptRun ended = run(Map.of(), "demo", "--scale");
    assertThat(ended.code()).isEqualTo(64);
    assertThat(ended.err()).startsWith("bin/demo: --scale needs a value\n");
  }

  @ParameterizedTest
  @CsvSource({
    "test, 0 all tests passed",
    "doctor, 0 all is well",
    "serve, 0 its time is over",
    "ping, 0 the best transport works"
  })
  void helpNamesExitCodes(String script, String first) throws Exception {
    ScriptRun ended = run(Map.of(), script, "--help");
    assertThat(ended.code()).isZero();
    assertThat(ended.out()).contains("Exit code: " + first);
  }

  /** Nothing to build with, so whatever it says it says before that. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          doctor --help       | 0
          doctor --conf       | 64
          doctor --bogus      | 64
          doctor --json more  | 64
          serve --help        | 0
          serve --port        | 64
          serve --json        | 64
          ping --help         | 0
          ping                | 64
          ping node7 --help   | 0
          ping node7 --sizes  | 64
          ping node7 --bogus  | 64
          ping node7 node8    | 64
          """)
  void toolsLookAtTheirOptionsBeforeTheyBuild(String arguments, int code) throws Exception {
    Map<String, String> bare =
        Map.of("JAVA_HOME", "/no/jdk", "VERBENA_JVM_DIR", "/no/jvm", "VERBENA_INSTALL", "no");
    String[] words = arguments.split(" ", -1);
    ScriptRun ended = run(bare, words);
    assertThat(ended.code()).isEqualTo(code);
    assertThat(ended.out() + ended.err())
        .contains("usage: bin/" + words[0] + " ")
        .doesNotContain("JDK");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          --bogus                      | unknown command: --bogus
          run                          | say what to run
          run --bogus true             | unknown option: --bogus
          run --limit 0 true           | --limit 0: a whole number from 1 to 86400 is wanted
          run --memory much true       | --memory much: say it as 3g or 3000m
          pair true                    | a pair needs two commands: CMD_A -- CMD_B
          shell true                   | a shell takes no command: true
          """)
  void wrongUseOfVirtualMachinesIsNamed(String arguments, String message) throws Exception {
    ScriptRun ended = run(Map.of(), ("soft-roce " + arguments).split(" "));
    assertThat(ended.err()).startsWith("bin/soft-roce: " + message + "\nusage: bin/soft-roce run ");
    assertThat(ended.code()).isEqualTo(64);
  }

  @Test
  void whatIsMissingIsNamedWithTheCommandThatInstallsIt() throws Exception {
    Path tools = Files.createDirectory(folder.resolve("tools"));
    for (String tool : List.of("bash", "dirname", "readlink", "grep", "cat", "id")) {
      Path wrapper = tools.resolve(tool);
      Files.writeString(wrapper, "#!/bin/sh\nexec " + which(tool) + " \"$@\"\n");
      assertThat(wrapper.toFile().setExecutable(true)).isTrue();
    }
    Map<String, String> bare =
        Map.of(
            "PATH", tools.toString(),
            "JAVA_HOME", "/no/jdk",
            "VERBENA_JVM_DIR", "/no/jvm",
            "VERBENA_INSTALL", "no");
    ScriptRun ended = run(bare, "demo");
    assertThat(ended.code()).isEqualTo(69);
    assertThat(ended.err())
        .isEqualTo(
            """
            bin/demo: missing: JDK 17 (looked at JAVA_HOME=/no/jdk, at javac on PATH and in /no/jvm)
            bin/demo: missing: mvn (not on PATH)
            bin/demo: install it; on Debian or Ubuntu: sudo apt-get install openjdk-17-jdk-headless maven
            """);
  }

  /** A compiler that finds those headers alone that are named in a file. */
  private static final String COMPILER =
      """
      #!/bin/sh
      header=$(sed -n 's/#include <\\(.*\\)>/\\1/p')
      grep -qxF "$header" %s
      """;

  private static final String JARS =
      """
      set -euo pipefail
      source "$(dirname -- "${BASH_SOURCE[0]}")/lib.sh"
      jars_are_current && echo current || echo stale
      """;

  @Test
  void jarIsBuiltAgainWhenWhatItsNativeLibrariesTakeHasCome() throws Exception {
    for (String source : List.of("bin/lib.sh", "block-transfer/src/main/c/build")) {
      made(source, Files.readString(Path.of("..", source)));
    }
    made("pom.xml", "");
    made("conf/pom.xml", "");
    try (Stream<Path> all = Files.walk(folder)) {
      for (Path file : all.filter(Files::isRegularFile).toList()) {
        Files.setLastModifiedTime(file, FileTime.fromMillis(0));
      }
    }
    Path headers = made("headers", "");
    Path cc = made("cc", COMPILER.formatted(headers));
    assertThat(cc.toFile().setExecutable(true)).isTrue();
    made("integration-tests/target/verbena-integration-tests-1.jar", "");
    made("integration-tests/target/spark-home/jars/spark-core_2.13-4.1.2.jar", "");
    Path jar = made("shuffle-manager/target/verbena-1.jar", "");
    String script = made("bin/jars", JARS).toString();
    Map<String, String> env = Map.of("CC", cc.toString(), "JAVA_HOME", "/no/jdk");

    assertThat(run(env, script).out()).isEqualTo("current\n");
    Files.writeString(headers, "stdlib.h\n");
    assertThat(run(env, script).out()).isEqualTo("stale\n");
    Files.writeString(jar, entry("memory"));
    assertThat(run(env, script).out()).isEqualTo("current\n");
    Files.writeString(headers, "stdlib.h\ninfiniband/verbs.h\nrdma/rdma_cma.h\n");
    assertThat(run(env, script).out()).isEqualTo("stale\n");
    Files.writeString(jar, entry("memory") + entry("verbs"));
    assertThat(run(env, script)).isEqualTo(new ScriptRun(0, "current\n", ""));
    Files.setLastModifiedTime(
        folder.resolve("pom.xml"), FileTime.from(Instant.now().plusSeconds(9)));
    assertThat(run(env, script).out()).isEqualTo("stale\n");
  }

  private static String entry(String library) {
    String arch = System.getProperty("os.arch").replace("amd64", "x86_64");
    return "\0META-INF/native/linux-" + arch + "/libverbena_" + library + ".so\0";
  }

  private Path made(String path, String text) throws IOException {
    Path file = folder.resolve(path);
    Files.createDirectories(file.getParent());
    return Files.writeString(file, text);
  }

  private static Path which(String tool) {
    return List.of("/usr/bin", "/bin").stream()
        .map(dir -> Path.of(dir, tool))
        .filter(Files::isExecutable)
        .findFirst()
        .orElseThrow();
  }
}
