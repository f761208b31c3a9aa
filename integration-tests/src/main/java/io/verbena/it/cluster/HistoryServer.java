package io.verbena.it.cluster;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.regex.Pattern;

/**
 * Spark's History Server on 127.0.0.1, a process of its own, with a port that the system chose.
 *
 * <p>Threads: one.
 */
public final class HistoryServer implements AutoCloseable {
  private static final Pattern UP =
      Pattern.compile("(?:Bound HistoryServer to|HistoryServer: Bound).*started at (http://\\S+)");

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
   * @param jars what is on its class path beside Spark
   * @throws ClusterException when it is not up in time
   */
  public static HistoryServer start(
      SparkHome home, JavaHome java, Path folder, Path logs, List<Path> jars, Duration limit)
      throws IOException, InterruptedException {
    Files.createDirectories(folder);
    Path log4j = folder.resolve("log4j2.properties");
    Files.writeString(
        log4j,
        """
        rootLogger.level = info
        rootLogger.appenderRef.err.ref = err
        appender.err.type = Console
        appender.err.name = err
        appender.err.target = SYSTEM_ERR
        appender.err.layout.type = PatternLayout
        appender.err.layout.pattern = %d{HH:mm:ss.SSS} %p %c{1}: %m%n%ex
        """);
    SparkJvm jvm =
        new SparkJvm(home, java)
            .options(AppSpec.QUICK_START)
            .options(
                List.of(
                    "-Xmx512m",
                    "-Dlog4j2.configurationFile=" + log4j,
                    "-Dspark.history.fs.logDirectory=" + logs.toUri(),
                    "-Dspark.history.fs.update.interval=1s",
                    "-Dspark.history.ui.port=0"));
    jars.forEach(jvm::addClassPath);
    return new HistoryServer(
        jvm.start(folder, List.of("org.apache.spark.deploy.history.HistoryServer")), limit);
  }

  /** Its address, without a slash at the end. */
  public String url() {
    return url.endsWith("/") ? url.substring(0, url.length() - 1) : url;
  }

  /** The file with its log. */
  public Path log() {
    return process.stderr();
  }

  @Override
  public void close() {
    process.terminate();
    process.end(Duration.ofSeconds(10));
  }
}
