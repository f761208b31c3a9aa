package io.verbena.it.cluster;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * How an application ended. The files are there until the cluster is closed.
 *
 * @param exitCode exit code of the driver's process; 128 + n when signal n ended it
 * @param stdout what the driver printed
 * @param stdoutFile file with the same
 * @param stderrFile what the driver wrote to its standard error: warnings and above of all loggers,
 *     everything from INFO of {@code io.verbena}
 * @param logFile the driver's log from INFO
 * @param wall time from the start of the driver's process to its end
 */
public record AppResult(
    int exitCode, String stdout, Path stdoutFile, Path stderrFile, Path logFile, Duration wall) {

  static final Pattern APP_ID =
      Pattern.compile("Connected to Spark cluster with app ID (app-\\S+)");

  /** The application's id; empty when no master has given it one. */
  public Optional<String> appId() {
    return TextFile.find(logFile, APP_ID);
  }

  /** The driver's log from INFO, whole. */
  public String log() {
    return TextFile.read(logFile);
  }

  /** The driver's standard error, whole. */
  public String stderr() {
    return TextFile.read(stderrFile);
  }

  /**
   * This result, when the application ended with exit code 0.
   *
   * @throws ClusterException otherwise, with the end of standard error
   */
  public AppResult orThrow() {
    if (exitCode != 0) {
      throw new ClusterException(
          "application ended with exit code %d after %.1f s; end of %s:%n%s"
              .formatted(
                  exitCode, wall.toMillis() / 1000.0, stderrFile, TextFile.tail(stderrFile)));
    }
    return this;
  }
}
