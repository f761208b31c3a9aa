package io.verbena.it.cluster;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Folders of jars that are no part of the build, below {@code target}. Maven resolves them, as a
 * POM outside the build says, from the registry that it is configured for; a folder is made once,
 * and anew when its POM is newer.
 */
public final class MavenFolder {
  private static final Duration LIMIT = Duration.ofMinutes(20);

  private MavenFolder() {}

  /**
   * The folder {@code target/PARENT/NAME} of this module with jars in {@code jars/}, which is made
   * when it is not there.
   *
   * @param pom the POM, relative to this module
   * @param properties Maven's properties
   * @throws ClusterException when Maven is missing or cannot resolve the jars; with its output
   */
  public static synchronized Path provide(
      String parent, String name, String pom, Map<String, String> properties)
      throws InterruptedException {
    Path folders = SparkHome.targetFolder().resolve(parent);
    Path folder = folders.resolve(name);
    Path source = SparkHome.targetFolder().resolve("..").resolve(pom).normalize();
    try {
      if (isCurrent(folder, source)) {
        return folder;
      }
      Files.createDirectories(folders);
      try (FileChannel channel =
              FileChannel.open(
                  folders.resolve("lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
          FileLock lock = channel.lock()) {
        if (lock.isValid() && !isCurrent(folder, source)) {
          ClusterFiles.delete(folder);
          make(folder, source, properties);
        }
      }
    } catch (IOException e) {
      throw new ClusterException("cannot make " + folder, e);
    }
    return folder;
  }

  /** Removes a folder with all that is in it, if it is there. */
  public static void delete(Path folder) {
    ClusterFiles.delete(folder);
  }

  private static boolean isCurrent(Path folder, Path pom) throws IOException {
    return Files.exists(folder)
        && Files.getLastModifiedTime(folder).compareTo(Files.getLastModifiedTime(pom)) >= 0;
  }

  private static void make(Path folder, Path pom, Map<String, String> properties)
      throws IOException, InterruptedException {
    // Ours alone while the lock is held; what a process that was killed left in it goes now.
    Path work = folder.resolveSibling("work");
    ClusterFiles.delete(work);
    try {
      Path made = work.resolve("made");
      List<String> command =
          new ArrayList<>(List.of("mvn", "-q", "-B", "-ntp", "-f", pom.toString()));
      properties.forEach((key, value) -> command.add("-D" + key + "=" + value));
      command.add("dependency:copy-dependencies");
      command.add("-DoutputDirectory=" + made.resolve("jars"));
      Map<String, String> env = Map.of("JAVA_HOME", JavaHome.current().path().toString());
      ManagedProcess maven = ManagedProcess.start("mvn", work, command, env);
      try {
        Optional<Integer> code = maven.waitFor(LIMIT);
        if (!code.equals(Optional.of(0))) {
          throw new ClusterException(
              "Maven could not get the jars of %s with %s (exit code %s, limit %s):%n%s"
                  .formatted(
                      pom,
                      properties,
                      code.map(String::valueOf).orElse("none"),
                      LIMIT,
                      TextFile.tail(maven.stdout())));
        }
      } finally {
        maven.terminate();
        maven.end(Duration.ofSeconds(5));
      }
      Files.move(made, folder, StandardCopyOption.ATOMIC_MOVE);
    } finally {
      ClusterFiles.delete(work);
    }
  }
}
