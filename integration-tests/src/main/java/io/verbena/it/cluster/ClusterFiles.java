package io.verbena.it.cluster;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Optional;

/** Folders and configuration files of one cluster, all below one temporary folder. */
final class ClusterFiles {
  private static final String PATTERN = "%d{HH:mm:ss.SSS} %p %c{1}: %m%n%ex";

  /** Master, workers, executors: everything from INFO on standard error, which is a file. */
  private static final String SERVER_LOG =
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

  /** Drivers: what a person wants to see on standard error, everything from INFO in a file. */
  private static final String DRIVER_LOG =
      """
      status = error
      rootLogger.level = info
      rootLogger.appenderRef.console.ref = console
      rootLogger.appenderRef.console.level = warn
      rootLogger.appenderRef.file.ref = file
      logger.verbena.name = io.verbena
      logger.verbena.level = info
      logger.verbena.additivity = false
      logger.verbena.appenderRef.console.ref = console
      logger.verbena.appenderRef.file.ref = file
      logger.hadoop.name = org.apache.hadoop.util.NativeCodeLoader
      logger.hadoop.level = error
      appender.console.type = Console
      appender.console.name = console
      appender.console.target = SYSTEM_ERR
      appender.console.layout.type = PatternLayout
      appender.console.layout.pattern = PATTERN
      appender.file.type = File
      appender.file.name = file
      appender.file.fileName = ${sys:verbena.log.file}
      appender.file.layout.type = PatternLayout
      appender.file.layout.pattern = PATTERN
      """
          .replace("PATTERN", PATTERN);

  /** Begins the names of this process's folders of clusters; others may run clusters as well. */
  static final String PREFIX = "verbena-cluster-" + ProcessHandle.current().pid() + "-";

  private final Path root;
  private final Optional<Path> local;

  private ClusterFiles(Path root, Optional<Path> local) {
    this.root = root;
    this.local = local;
  }

  /** {@code localRoot} is where the workers' local folders are made, if not with the others. */
  static ClusterFiles create(Optional<Path> localRoot) {
    try {
      Optional<Path> local =
          localRoot.isEmpty()
              ? Optional.empty()
              : Optional.of(Files.createTempDirectory(localRoot.get(), PREFIX));
      ClusterFiles files = new ClusterFiles(Files.createTempDirectory(PREFIX), local);
      Files.createDirectories(files.conf());
      Files.writeString(files.serverLogConfig(), SERVER_LOG);
      Files.writeString(files.driverLogConfig(), DRIVER_LOG);
      return files;
    } catch (IOException e) {
      throw new ClusterException("cannot make the cluster's temporary folder", e);
    }
  }

  Path root() {
    return root;
  }

  private Path conf() {
    return root.resolve("conf");
  }

  Path serverLogConfig() {
    return conf().resolve("server-log4j2.properties");
  }

  Path driverLogConfig() {
    return conf().resolve("driver-log4j2.properties");
  }

  Path master() {
    return root.resolve("master");
  }

  Path worker(int index) {
    return root.resolve("worker-" + index);
  }

  Path workerLocal(int index) {
    return local
        .map(folder -> folder.resolve("worker-" + index))
        .orElseGet(() -> worker(index).resolve("local"));
  }

  Path workerWork(int index) {
    return worker(index).resolve("work");
  }

  Path app(int number) {
    return root.resolve("app-" + number);
  }

  /** Removes everything. */
  void delete() {
    local.ifPresent(ClusterFiles::delete);
    delete(root);
  }

  /** Removes a folder with all that is in it. Tolerates files that vanish meanwhile. */
  static void delete(Path root) {
    if (!Files.exists(root)) {
      return;
    }
    try {
      Files.walkFileTree(
          root,
          new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes)
                throws IOException {
              Files.deleteIfExists(file);
              return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFileFailed(Path file, IOException e) throws IOException {
              if (Files.exists(file)) {
                throw e;
              }
              return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult postVisitDirectory(Path folder, IOException e)
                throws IOException {
              if (e != null) {
                throw e;
              }
              Files.deleteIfExists(folder);
              return FileVisitResult.CONTINUE;
            }
          });
    } catch (IOException e) {
      throw new UncheckedIOException("cannot remove " + root, e);
    }
  }
}
