package io.verbena.cli;

import io.verbena.conf.RdmaConf;
import java.io.IOException;
import java.io.Reader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Properties;
import java.util.TreeMap;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** An application's configuration, given as to {@code spark-submit}. */
final class ConfOptions {
  @Spec(Spec.Target.MIXEE)
  private CommandSpec command;

  @Option(
      names = "--conf",
      paramLabel = "KEY=VALUE",
      description = "A setting of the job, as for spark-submit. Repeat it for more.")
  private Map<String, String> settings = new LinkedHashMap<>();

  @Option(
      names = "--properties-file",
      paramLabel = "FILE",
      description =
          "File of settings, as for spark-submit. Default: spark-defaults.conf in SPARK_CONF_DIR,"
              + " or in conf below SPARK_HOME.")
  private Path file;

  /** All settings: those of the command line before those of the file. */
  Map<String, String> read(Map<String, String> env) {
    Map<String, String> all = new TreeMap<>();
    Path read = file == null ? defaults(env) : file;
    if (read != null) {
      all.putAll(load(read));
    }
    all.putAll(settings);
    return all;
  }

  /** The shuffle's own settings; those that it refuses are wrong usage. */
  RdmaConf readRdma(Map<String, String> env) {
    Map<String, String> all = read(env);
    return Arguments.checked(command, () -> RdmaConf.read(all));
  }

  private static Path defaults(Map<String, String> env) {
    String folder = env.get("SPARK_CONF_DIR");
    String home = env.get("SPARK_HOME");
    if (folder == null && home == null) {
      return null;
    }
    Path path = (folder == null ? Path.of(home, "conf") : Path.of(folder));
    Path defaults = path.resolve("spark-defaults.conf");
    return Files.exists(defaults) ? defaults : null;
  }

  private Map<String, String> load(Path path) {
    Properties properties = new Properties();
    try (Reader reader = Files.newBufferedReader(path, StandardCharsets.UTF_8)) {
      properties.load(reader);
    } catch (IOException | IllegalArgumentException e) {
      throw new ParameterException(
          command.commandLine(), "cannot read settings from " + path + ": " + e, e);
    }
    Map<String, String> read = new LinkedHashMap<>();
    for (String key : properties.stringPropertyNames()) {
      read.put(key, properties.getProperty(key).strip());
    }
    return read;
  }
}
