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
  /** Begins the names of this process's folders of clusters; others may run clusters as well. */
  static final String PREFIX = "verbena-cluster-" + ProcessHandle.current().pid() + "-";

  private final Path root;
  private final Optional<Path> local;
  private final LogSettings logging;

  private ClusterFiles(Path root, Optional<Path> local, LogSettings logging) {
    this.root = root;
    this.local = local;
    this.logging = logging;
  }

  /** {@code localRoot} is where the workers' local folders are made, if not with the others. */
  static ClusterFiles create(Optional<Path> localRoot) {
    try {
      Optional<Path> local =
          localRoot.isEmpty()
              ? Optional.empty()
              : Optional.of(Files.createTempDirectory(localRoot.get(), PREFIX));
      Path root = Files.createTempDirectory(PREFIX);
      Path conf = Files.createDirectory(root.resolve("conf"));
      return new ClusterFiles(root, local, new LogSettings(conf));
    } catch (IOException e) {
      throw new ClusterException("cannot make the cluster's temporary folder", e);
    }
  }

  Path root() {
    return root;
  }

  LogSettings logging() {
    return logging;
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
