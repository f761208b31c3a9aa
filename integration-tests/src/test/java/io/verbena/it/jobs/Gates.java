package io.verbena.it.jobs;

import io.verbena.it.cluster.Await;
import java.io.IOException;
import java.io.Serializable;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import org.apache.spark.SparkEnv;

/**
 * Gates at which tasks on executors wait until a test opens them. A gate is a name; both sides see
 * the same folder. Who waits says so in a file {@code NAME.at-EXECUTOR}; a gate is open when the
 * file {@code NAME} is there. Once open it stays open.
 */
public final class Gates implements Serializable {
  private static final long serialVersionUID = 1L;
  private static final Duration LIMIT = Duration.ofMinutes(3);

  private final String folder;

  /** Gates in a folder that exists. */
  public Gates(Path folder) {
    this.folder = folder.toString();
  }

  /** In a task or on the driver: says that it is here, and waits until the gate is open. */
  void pass(String name) throws IOException, InterruptedException {
    Path open = Path.of(folder, name);
    if (Files.exists(open)) {
      return;
    }
    Path here = Path.of(folder, name + ".at-" + SparkEnv.get().executorId());
    if (Files.notExists(here)) {
      Files.writeString(here, "");
    }
    Await.until("the file " + open, LIMIT, () -> Files.exists(open));
  }

  /**
   * The same for who is not to be stopped: interrupts are ignored, and forgotten.
   *
   * @return whether there was one
   */
  boolean passUninterrupted(String name) throws IOException {
    boolean interrupted = false;
    while (true) {
      try {
        pass(name);
        return Thread.interrupted() || interrupted;
      } catch (InterruptedException e) {
        interrupted = true; // Whoever wants to stop this task has to wait.
      }
    }
  }

  /**
   * The same for who is to go on although it was stopped: the interrupt must have come, or it could
   * still come in the middle of what follows.
   */
  void passInterrupted(String name) throws IOException {
    if (passUninterrupted(name)) {
      return;
    }
    try {
      Thread.sleep(LIMIT.toMillis());
    } catch (InterruptedException e) {
      return; // What this waits for.
    }
    throw new IllegalStateException(
        "no interrupt came within " + LIMIT + " after the gate " + name + " was open");
  }

  /** Opens gates: in a test, or to tell one that something has happened. */
  public void open(String... names) throws IOException {
    for (String name : names) {
      Files.writeString(Path.of(folder, name), "");
    }
  }

  /** In a test: waits until somebody waits at a gate, and gives the executor's id. */
  public String awaitSomebodyAt(String name) throws InterruptedException {
    return awaitSomebodyAt(name, LIMIT);
  }

  /** The same, with another limit than the usual one. */
  public String awaitSomebodyAt(String name, Duration limit) throws InterruptedException {
    return Await.value("somebody at the gate " + name, limit, () -> executorAt(name));
  }

  /** Waits until a gate is open, without saying so. */
  public void awaitOpen(String name) throws InterruptedException {
    Await.until("the gate " + name, LIMIT, () -> Files.exists(Path.of(folder, name)));
  }

  private Optional<String> executorAt(String name) {
    String prefix = name + ".at-";
    try (var files = Files.newDirectoryStream(Path.of(folder), prefix + "*")) {
      for (Path file : files) {
        return Optional.of(file.getFileName().toString().substring(prefix.length()));
      }
      return Optional.empty();
    } catch (IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
  }
}
