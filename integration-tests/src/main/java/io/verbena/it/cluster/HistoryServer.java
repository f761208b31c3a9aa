package io.verbena.it.cluster;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.regex.Pattern;

/**
 * Spark's History Server on 127.0.0.1, a process of its own.
 *
 * <p>Threads: one, and any for {@link #close}.
 */
public final class HistoryServer implements AutoCloseable {
  private static final Pattern UP =
      Pattern.compile("(?:Bound HistoryServer to|HistoryServer: Bound).*started at (http://\\S+)");

  /**
   * What it runs on.
   *
   * @param jars what is on its class path beside Spark
   * @param port where it listens; the next one when that is taken; 0 for one that the system chose
   */
  public record Spec(SparkHome home, JavaHome java, List<Path> jars, int port) {}

  private final ManagedProcess process;
  private final String url;

  private HistoryServer(ManagedProcess process, Duration limit) throws InterruptedException {
    this.process = process;
    try {
      this.url = process.awaitStderr(UP, limit);
    } catch (ClusterException | InterruptedException e) {
      process.end(Duration.ZERO);
      throw e;
    }
  }

  /**
   * Starts it and waits until it can be asked.
   *
   * @param folder its own, for its output
   * @param logs folder of event logs
   * @throws ClusterException when it is not up in time
   */
  public static HistoryServer start(Spec spec, Path folder, Path logs, Duration limit)
      throws IOException, InterruptedException {
    Files.createDirectories(folder);
    SparkJvm jvm =
        new SparkJvm(spec.home(), spec.java())
            .options(AppSpec.QUICK_START)
            .options(
                List.of(
                    "-Xmx512m",
                    new LogSettings(folder).forServer(),
                    "-Dspark.history.fs.logDirectory=" + logs.toUri(),
                    "-Dspark.history.fs.update.interval=1s",
                    "-Dspark.history.ui.port=" + spec.port()));
    spec.jars().forEach(jvm::addClassPath);
    return new HistoryServer(
        jvm.start(folder, List.of("org.apache.spark.deploy.history.HistoryServer")), limit);
  }

  /** Its address, without a slash at the end. */
  public String url() {
    return url.endsWith("/") ? url.substring(0, url.length() - 1) : url;
  }

  /** The address of an application's pages, without a slash at the end. */
  public String url(String appId) {
    return url() + "/history/" + appId;
  }

  /** Its log, whole. */
  public String log() {
    return TextFile.read(process.stderr());
  }

  /** Waits for its end; whether it has come in time. */
  public boolean awaitEnd(Duration limit) throws InterruptedException {
    return process.waitFor(limit).isPresent();
  }

  @Override
  public void close() {
    process.stop(Duration.ofSeconds(10));
  }
}
