package io.verbena.it.cluster;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Stream;

/**
 * A class data sharing archive of a Spark home: the JVM maps classes from it that it would else
 * load and verify one by one. A JVM of Spark then starts with half the CPU time (3.7 s instead of
 * 7.5 s for a small local application), and a cluster is six of them. Made once per home, which
 * takes about as long as one application, and kept beside its jars.
 *
 * <p>The JVM ignores an archive that does not fit, so nothing depends on it but time.
 */
final class ClassArchive {
  /** System property: {@code false} starts all JVMs without an archive. */
  static final String PROPERTY = "verbena.it.classArchive";

  private static final Duration LIMIT = Duration.ofMinutes(5);

  private ClassArchive() {}

  /** The folder for archives of a home. */
  private static Path folder(SparkHome home) {
    return home.path().resolve("class-archive");
  }

  /**
   * An empty folder that stands on every class path where Spark expects its configuration: it has
   * to be the same one each time, and empty, for archives to be usable.
   */
  static Path emptyConf(SparkHome home) {
    try {
      return Files.createDirectories(folder(home).resolve("conf"));
    } catch (IOException e) {
      throw new ClusterException("cannot make a folder in " + home.path(), e);
    }
  }

  /** JVM options that use the archive of a home for a Java, which is made when it is not there. */
  static synchronized List<String> options(SparkHome home, JavaHome java)
      throws InterruptedException {
    if (!"true".equals(System.getProperty(PROPERTY, "true"))) {
      return List.of();
    }
    Path archive = folder(home).resolve(fingerprint(home, java) + ".jsa");
    if (Files.notExists(archive)) {
      try (FileChannel channel = openLock(home);
          FileLock lock = channel.lock()) {
        if (lock.isValid() && Files.notExists(archive)) {
          make(home, java, archive);
        }
      } catch (IOException | ClusterException e) {
        System.err.println("going on without a class archive of " + home.path() + ": " + e);
        return List.of();
      }
    }
    return List.of("-XX:SharedArchiveFile=" + archive, "-Xlog:cds=off", "-Xlog:cds+dynamic=off");
  }

  private static FileChannel openLock(SparkHome home) throws IOException {
    return FileChannel.open(
        Files.createDirectories(folder(home)).resolve("lock"),
        StandardOpenOption.CREATE,
        StandardOpenOption.WRITE);
  }

  private static void make(SparkHome home, JavaHome java, Path archive)
      throws IOException, InterruptedException {
    // Ours alone while the lock is held; what a process that was killed left in it goes now.
    Path work = folder(home).resolve("work");
    ClusterFiles.delete(work);
    try {
      Path made = work.resolve("made.jsa");
      List<String> command = new ArrayList<>();
      command.add(java.java());
      command.addAll(home.moduleOptions());
      command.addAll(
          List.of(
              "-Xmx512m",
              "-XX:ArchiveClassesAtExit=" + made,
              "-Xlog:cds=off",
              "-Xlog:cds+dynamic=off",
              "-cp",
              Commands.classPath(home, List.of()),
              "org.apache.spark.deploy.SparkSubmit",
              "--master",
              "local[2]",
              "--conf",
              "spark.ui.enabled=false",
              "--conf",
              "spark.local.dir=" + work,
              "--conf",
              "spark.sql.warehouse.dir=" + work,
              "--class",
              WarmUp.class.getName(),
              ProjectJars.applications().toString()));
      Map<String, String> env = Commands.env(home, java);
      ManagedProcess process = ManagedProcess.start("class archive", work, command, env);
      try {
        Optional<Integer> code = process.waitFor(LIMIT);
        if (!code.equals(Optional.of(0)) || Files.notExists(made)) {
          throw new ClusterException(
              "exit code " + code + "; end of stderr:\n" + TextFile.tail(process.stderr()));
        }
      } finally {
        process.stop(Duration.ofSeconds(5));
      }
      Files.move(made, archive, StandardCopyOption.ATOMIC_MOVE);
    } finally {
      ClusterFiles.delete(work);
    }
  }

  /** Names what an archive depends on: the JVM, the path, and the jars with size and time. */
  private static String fingerprint(SparkHome home, JavaHome java) {
    StringBuilder text = new StringBuilder(java.path().toString());
    text.append('\n').append(java.build());
    text.append('\n').append(home.path()).append('\n');
    try (Stream<Path> jars = Files.list(home.path().resolve("jars"))) {
      for (Path jar : jars.sorted().toList()) {
        text.append(jar.getFileName())
            .append(' ')
            .append(Files.size(jar))
            .append(' ')
            .append(Files.getLastModifiedTime(jar).toMillis())
            .append('\n');
      }
    } catch (IOException e) {
      throw new UncheckedIOException("cannot list the jars of " + home.path(), e);
    }
    return UUID.nameUUIDFromBytes(text.toString().getBytes(StandardCharsets.UTF_8)).toString();
  }
}
