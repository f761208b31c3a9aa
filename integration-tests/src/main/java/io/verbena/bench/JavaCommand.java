package io.verbena.bench;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.spark.launcher.JavaModuleOptions;

/** How a JVM of a benchmark is started: this JVM's java, with what Spark opens. */
final class JavaCommand {
  private JavaCommand() {}

  static List<String> base() {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(options());
    return command;
  }

  static List<String> options() {
    List<String> options = new ArrayList<>();
    options.addAll(Arrays.asList(JavaModuleOptions.defaultModuleOptions().split(" ", -1)));
    options.add("-Dlog4j2.configurationFile=io/verbena/bench/log4j2.properties");
    return options;
  }
}
