package io.verbena.it.cluster;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;

/** A process that we started, with its output in two files. */
public final class ManagedProcess {
  private final String name;
  private final Process process;
  private final Path stdout;
  private final Path stderr;

  private ManagedProcess(String name, Process process, Path stdout, Path stderr) {
    this.name = name;
    this.process = process;
    this.stdout = stdout;
    this.stderr = stderr;
  }

  /**
   * Starts a command in a folder, which is made and gets the files {@code stdout} and {@code
   * stderr}. The environment is ours without what would change how Spark runs, plus the given one.
   */
  public static ManagedProcess start(
      String name, Path folder, List<String> command, Map<String, String> env) {
    try {
      Files.createDirectories(folder);
      Path stdout = folder.resolve("stdout");
      Path stderr = folder.resolve("stderr");
      ProcessBuilder builder =
          new ProcessBuilder(command)
              .directory(folder.toFile())
              .redirectInput(new File("/dev/null"))
              .redirectOutput(stdout.toFile())
              .redirectError(stderr.toFile());
      builder
          .environment()
          .keySet()
          .removeIf(key -> key.matches("(_?SPARK|HADOOP|YARN)_.*|CLASSPATH|_JAVA_OPTIONS"));
      builder.environment().putAll(env);
      return new ManagedProcess(name, builder.start(), stdout, stderr);
    } catch (IOException e) {
      throw new ClusterException("cannot start " + name + " with " + command, e);
    }
  }

  long pid() {
    return process.pid();
  }

  /** Whether it is running. */
  public boolean isAlive() {
    return process.isAlive();
  }

  /** The file with its standard output. */
  public Path stdout() {
    return stdout;
  }

  /** The file with its standard error. */
  public Path stderr() {
    return stderr;
  }

  /** Waits for the end and returns the exit code; empty when it did not end in time. */
  public Optional<Integer> waitFor(Duration limit) throws InterruptedException {
    return process.waitFor(limit.toMillis(), TimeUnit.MILLISECONDS)
        ? Optional.of(process.exitValue())
        : Optional.empty();
  }

  /**
   * Waits for a line on standard error and returns the pattern's first group.
   *
   * @throws ClusterException when the process ends or the time is over before
   */
  String awaitStderr(Pattern pattern, Duration limit) throws InterruptedException {
    try {
      return Await.value(
          name + " to log \"" + pattern + "\"",
          limit,
          () -> {
            boolean alive = isAlive(); // First, so that its last words are read.
            Optional<String> found = TextFile.find(stderr, pattern);
            if (found.isEmpty() && !alive) {
              throw new ClusterException(
                  name + " ended early with exit code " + process.exitValue());
            }
            return found;
          });
    } catch (ClusterException e) {
      throw new ClusterException(
          e.getMessage() + "; end of " + stderr + ":\n" + TextFile.tail(stderr), e);
    }
  }

  /** Asks the process to end, without waiting. */
  void terminate() {
    process.destroy();
  }

  /** Asks the process to end; by force when the time is over. Returns when it is gone. */
  public void stop(Duration grace) {
    terminate();
    end(grace);
  }

  /** Ends by force the process and all that it has started, as far as it is still its parent. */
  public void endTree() {
    List<ProcessHandle> children = process.descendants().toList();
    end(Duration.ZERO);
    children.forEach(ProcessHandle::destroyForcibly);
  }

  /** Waits for the end, then ends it by force; returns when it is gone or cannot be ended. */
  void end(Duration grace) {
    boolean interrupted = false;
    try {
      if (!process.waitFor(grace.toMillis(), TimeUnit.MILLISECONDS)) {
        process.destroyForcibly().waitFor(5, TimeUnit.SECONDS);
      }
    } catch (InterruptedException e) {
      interrupted = true;
      process.destroyForcibly();
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
