package io.verbena.it.cluster;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** Log4j's settings of Spark's processes. */
public final class LogSettings {
  private static final String PATTERN = "%d{HH:mm:ss.SSS} %p %c{1}: %m%n%ex";
  private static final String FILE = "-Dlog4j2.configurationFile=";

  private static final String BOTH =
      """
      status = error
      rootLogger.level = info
      rootLogger.appenderRef.console.ref = console
      logger.hadoop.name = org.apache.hadoop.util.NativeCodeLoader
      logger.hadoop.level = error
      appender.console.type = Console
      appender.console.name = console
      appender.console.target = SYSTEM_ERR
      appender.console.layout.type = PatternLayout
      appender.console.layout.pattern = PATTERN
      """
          .replace("PATTERN", PATTERN);

  private static final String OF_DRIVER =
      """
      rootLogger.appenderRef.console.level = warn
      rootLogger.appenderRef.file.ref = file
      logger.verbena.name = io.verbena
      logger.verbena.level = info
      logger.verbena.additivity = false
      logger.verbena.appenderRef.console.ref = console
      logger.verbena.appenderRef.file.ref = file
      appender.file.type = File
      appender.file.name = file
      appender.file.fileName = ${sys:verbena.log.file}
      appender.file.layout.type = PatternLayout
      appender.file.layout.pattern = PATTERN
      """
          .replace("PATTERN", PATTERN);

  private final Path server;
  private final Path driver;

  /** Writes both into an existing folder. */
  public LogSettings(Path folder) throws IOException {
    server = Files.writeString(folder.resolve("server-log4j2.properties"), BOTH);
    driver = Files.writeString(folder.resolve("driver-log4j2.properties"), BOTH + OF_DRIVER);
  }

  /** Master, workers, executors: everything from INFO on standard error, which is a file. */
  public String forServer() {
    return FILE + server;
  }

  /** Drivers: what a person wants to see on standard error, everything from INFO in a file. */
  public List<String> forDriver(Path log) {
    return List.of(FILE + driver, "-Dverbena.log.file=" + log);
  }
}
