package io.verbena.it.cluster;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * An application that was submitted and may still be running. Usable from any thread. Closing it
 * ends the driver, and with it the application.
 */
public final class AppHandle implements AutoCloseable {
  private static final Duration GRACE = Duration.ofSeconds(10);

  private final ManagedProcess driver;
  private final Path logFile;
  private final long startNanos;

  AppHandle(ManagedProcess driver, Path logFile, long startNanos) {
    this.driver = driver;
    this.logFile = logFile;
    this.startNanos = startNanos;
  }

  /** Process id of the driver. */
  public long pid() {
    return driver.pid();
  }

  /** Whether the driver's process is running. */
  public boolean isAlive() {
    return driver.isAlive();
  }

  /** File with what the driver has printed so far. */
  public Path stdoutFile() {
    return driver.stdout();
  }

  /** File with what the driver has written to standard error so far. */
  public Path stderrFile() {
    return driver.stderr();
  }

  /** The driver's log from INFO; written while the application runs. */
  public Path logFile() {
    return logFile;
  }

  /**
   * Waits until the application is registered with the master and returns its id.
   *
   * @throws ClusterException when the driver ends or the time is over before
   */
  public String awaitAppId(Duration limit) throws InterruptedException {
    return awaitLog(AppResult.APP_ID, limit);
  }

  /**
   * Waits until the driver's log matches and returns the first group of the pattern.
   *
   * @throws ClusterException when the driver ends or the time is over before, with the log's end
   */
  public String awaitLog(Pattern pattern, Duration limit) throws InterruptedException {
    return awaitText(logFile, pattern, limit);
  }

  /**
   * Waits until what the driver has printed matches and returns the first group of the pattern.
   *
   * @throws ClusterException when the driver ends or the time is over before
   */
  public String awaitStdout(Pattern pattern, Duration limit) throws InterruptedException {
    return awaitText(driver.stdout(), pattern, limit);
  }

  private String awaitText(Path file, Pattern pattern, Duration limit) throws InterruptedException {
    try {
      return Await.value(
          "\"" + pattern + "\" in " + file,
          limit,
          () -> {
            boolean alive = isAlive(); // First, so that its last words are read.
            Optional<String> found = TextFile.find(file, pattern);
            if (found.isEmpty() && !alive) {
              throw new ClusterException("the driver ended without \"" + pattern + "\" in " + file);
            }
            return found;
          });
    } catch (ClusterException e) {
      throw new ClusterException(
          e.getMessage() + "; end of " + stderrFile() + ":\n" + TextFile.tail(stderrFile()), e);
    }
  }

  /**
   * Waits for the driver's end. A driver that is still running when the time is over goes on.
   *
   * @throws ClusterException when the time is over, with the log's end
   */
  public AppResult waitFor(Duration limit) throws InterruptedException {
    Optional<Integer> exit = driver.waitFor(limit);
    Duration wall = Duration.ofNanos(System.nanoTime() - startNanos);
    if (exit.isEmpty()) {
      throw new ClusterException(
          "application still runs after %.1f s; end of %s:%n%s"
              .formatted(wall.toMillis() / 1000.0, logFile, TextFile.tail(logFile)));
    }
    return new AppResult(
        exit.get(),
        TextFile.read(driver.stdout()),
        driver.stdout(),
        driver.stderr(),
        logFile,
        wall);
  }

  /** Ends the driver: asked first, by force after 10 s. Returns when it is gone. Idempotent. */
  public void destroy() {
    driver.stop(GRACE);
  }

  /** Ends the driver with SIGKILL and returns when it is gone: nothing of it does any work. */
  public void kill() {
    driver.end(Duration.ZERO);
  }

  /** The same as {@link #destroy()}. */
  @Override
  public void close() {
    destroy();
  }

  /** Asks the driver to end, without waiting. */
  void terminate() {
    driver.terminate();
  }
}
