package io.verbena.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

class CommandsTest {
  @TempDir Path folder;
  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  private int run(String... args) {
    return Commands.commandLine(new PrintWriter(out, true), new PrintWriter(err, true))
        .execute(args);
  }

  @Test
  void helpListsCommands() {
    assertThat(run("--help")).isZero();
    assertThat(out.toString()).startsWith("Usage: verbena ").contains("doctor");
  }

  @Test
  void versionIsThatOfTheBuild() {
    assertThat(run("--version")).isZero();
    assertThat(out.toString()).matches("verbena [0-9]+\\.[0-9]+\\.[0-9]+\\S*\\R");
  }

  @Test
  void noCommandIsWrongUsage() {
    assertThat(run()).isEqualTo(64);
    assertThat(err.toString()).startsWith("say which command").contains("Usage: verbena ");
  }

  @Test
  void unknownCommandsAndOptionsAreWrongUsage() {
    assertThat(run("doktor")).isEqualTo(64);
    assertThat(run("doctor", "--bogus")).isEqualTo(64);
    assertThat(run("doctor", "--conf")).isEqualTo(64);
    assertThat(run("doctor", "--conf", "spark.local.dir")).isEqualTo(64);
    assertThat(err.toString()).contains("Unknown option: '--bogus'");
    assertThat(out.toString()).isEmpty();
  }

  @Test
  void fileOfSettingsThatCannotBeReadIsNamed() {
    assertThat(run("doctor", "--properties-file", folder + "/none.conf")).isEqualTo(64);
    assertThat(err.toString()).startsWith("cannot read settings from " + folder + "/none.conf");
  }

  @Command
  private static final class Settings implements Runnable {
    @Mixin private ConfOptions conf;

    @Override
    public void run() {}
  }

  /** What a command would get as the job's settings. */
  static Map<String, String> settings(Map<String, String> env, String... args) {
    Settings settings = new Settings();
    new CommandLine(settings).parseArgs(args);
    return settings.conf.read(env);
  }

  @Test
  void settingsOfTheCommandLineGoBeforeThoseOfTheFile() throws Exception {
    Path file = folder.resolve("job.conf");
    Files.writeString(file, "# a job\nspark.a  1\nspark.b=2 \nspark.c: x=y\n");
    assertThat(
            settings(
                Map.of(),
                "--properties-file",
                file.toString(),
                "--conf",
                "spark.b=3=4",
                "--conf=spark.d=5"))
        .containsExactlyInAnyOrderEntriesOf(
            Map.of("spark.a", "1", "spark.b", "3=4", "spark.c", "x=y", "spark.d", "5"));
  }

  @Test
  void defaultsAreThoseOfTheSparkInstallationUnlessAFileIsGiven() throws Exception {
    Files.createDirectories(folder.resolve("conf"));
    Files.writeString(folder.resolve("conf/spark-defaults.conf"), "spark.a 1\n");
    Files.createDirectories(folder.resolve("other"));
    Files.writeString(folder.resolve("other/spark-defaults.conf"), "spark.a 2\n");
    Path file = Files.writeString(folder.resolve("job.conf"), "spark.z 1\n");

    Map<String, String> home = Map.of("SPARK_HOME", folder.toString());
    assertThat(settings(home)).containsExactly(Map.entry("spark.a", "1"));
    assertThat(
            settings(Map.of("SPARK_HOME", folder.toString(), "SPARK_CONF_DIR", folder + "/other")))
        .containsExactly(Map.entry("spark.a", "2"));
    assertThat(settings(home, "--properties-file", file.toString()))
        .containsExactly(Map.entry("spark.z", "1"));
    assertThat(settings(Map.of("SPARK_HOME", folder + "/none"))).isEmpty();
  }
}
