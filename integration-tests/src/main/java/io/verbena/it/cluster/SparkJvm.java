package io.verbena.it.cluster;

import java.io.File;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * A JVM on the jars of a Spark home that is no part of a {@link StandaloneCluster}: the driver of a
 * cluster that Spark makes itself, such as {@code local-cluster[2,1,1024]}.
 */
public final class SparkJvm {
  private static final String LAUNCHER_OPTIONS = "JDK_JAVA_OPTIONS";

  private final SparkHome home;
  private final JavaHome java;
  private final List<String> own = new ArrayList<>();
  private final List<String> inherited = new ArrayList<>();
  private final List<Path> classPath = new ArrayList<>();
  private final Map<String, String> env = new LinkedHashMap<>();

  /** Threads: one. */
  public SparkJvm(SparkHome home, JavaHome java) {
    this.home = home;
    this.java = java;
    env.putAll(Commands.env(home, java));
  }

  /** Options for this JVM alone. */
  public SparkJvm options(List<String> options) {
    own.addAll(options);
    return this;
  }

  /** Options for this JVM and for all that it starts. */
  public SparkJvm inheritedOptions(List<String> options) {
    inherited.addAll(options);
    return this;
  }

  /** A jar, a folder of classes, or {@code FOLDER/*}: comes after the jars of the home. */
  public SparkJvm addClassPath(Path entry) {
    classPath.add(entry);
    return this;
  }

  /** A variable of its environment. */
  public SparkJvm env(String key, String value) {
    env.put(key, value);
    return this;
  }

  /**
   * Starts it.
   *
   * @param folder its working folder, which is made and gets the files {@code stdout} and {@code
   *     stderr}
   * @param main its main class, and its arguments
   */
  public ManagedProcess start(Path folder, List<String> main) throws InterruptedException {
    return ManagedProcess.start(main.get(0), folder, command(main), env());
  }

  /** The environment that it has to have where somebody else starts it. */
  public Map<String, String> env() throws InterruptedException {
    List<String> options = new ArrayList<>(inherited);
    options.addAll(ClassArchive.options(home, java));
    Map<String, String> all = new LinkedHashMap<>(env);
    all.put(
        LAUNCHER_OPTIONS, options.stream().map(SparkJvm::quoted).collect(Collectors.joining(" ")));
    return all;
  }

  /**
   * Its command line, for somebody else to start.
   *
   * @param main its main class, and its arguments
   */
  public List<String> command(List<String> main) {
    List<String> command = new ArrayList<>();
    command.add(java.java());
    command.addAll(home.moduleOptions());
    command.addAll(own);
    command.add("-cp");
    command.add(
        Commands.classPath(home, List.of())
            + classPath.stream()
                .map(entry -> File.pathSeparator + entry)
                .collect(Collectors.joining()));
    command.addAll(main);
    return command;
  }

  private static String quoted(String option) {
    return option.chars().anyMatch(Character::isWhitespace) ? '"' + option + '"' : option;
  }
}
