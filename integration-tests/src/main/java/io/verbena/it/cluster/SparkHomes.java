package io.verbena.it.cluster;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Homes of Spark versions other than the one that the build is made with. Maven resolves their jars
 * from the registry that it is configured for; a home is made once and kept in {@code
 * target/spark-homes}.
 */
public final class SparkHomes {
  private static final Duration LIMIT = Duration.ofMinutes(20);

  private SparkHomes() {}

  /**
   * The home of a version, which is made when it is not there.
   *
   * @param spark Spark's version, such as {@code 3.5.8}
   * @param scala Scala's binary version, such as {@code 2.12}
   * @throws ClusterException when Maven is missing or cannot resolve the jars; with its output
   */
  public static synchronized SparkHome provide(String spark, String scala)
      throws InterruptedException {
    Optional<SparkHome> built = built(spark, scala);
    if (built.isPresent()) {
      return built.get();
    }
    Path homes = SparkHome.targetFolder().resolve("spark-homes");
    Path home = homes.resolve(spark + "_" + scala);
    if (Files.notExists(home)) {
      try {
        Files.createDirectories(homes);
        try (FileChannel channel =
                FileChannel.open(
                    homes.resolve("lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
            FileLock lock = channel.lock()) {
          if (lock.isValid() && Files.notExists(home)) {
            make(home, spark, scala);
          }
        }
      } catch (IOException e) {
        throw new ClusterException("cannot make " + home, e);
      }
    }
    return SparkHome.at(home);
  }

  /** The home that the build makes, when it is of this version: it may have an archive already. */
  private static Optional<SparkHome> built(String spark, String scala) {
    Path path = SparkHome.targetFolder().resolve("spark-home");
    if (Files.notExists(path)) {
      return Optional.empty();
    }
    return Optional.of(SparkHome.at(path))
        .filter(home -> home.sparkVersion().equals(spark) && home.scalaVersion().equals(scala));
  }

  private static void make(Path home, String spark, String scala)
      throws IOException, InterruptedException {
    Path pom = SparkHome.targetFolder().resolve("../spark-home/pom.xml").normalize();
    // Ours alone while the lock is held; what a process that was killed left in it goes now.
    Path work = home.resolveSibling("work");
    ClusterFiles.delete(work);
    try {
      Path made = work.resolve("home");
      List<String> command =
          List.of(
              "mvn",
              "-q",
              "-B",
              "-ntp",
              "-f",
              pom.toString(),
              "-Dspark.version=" + spark,
              "-Dscala.binary.version=" + scala,
              "dependency:copy-dependencies",
              "-DoutputDirectory=" + made.resolve("jars"));
      Map<String, String> env = Map.of("JAVA_HOME", JavaHome.current().path().toString());
      ManagedProcess maven = ManagedProcess.start("mvn", work, command, env);
      try {
        Optional<Integer> code = maven.waitFor(LIMIT);
        if (!code.equals(Optional.of(0))) {
          throw new ClusterException(
              "Maven could not get the jars of Spark %s for Scala %s (exit code %s, limit %s):%n%s"
                  .formatted(
                      spark,
                      scala,
                      code.map(String::valueOf).orElse("none"),
                      LIMIT,
                      TextFile.tail(maven.stdout())));
        }
      } finally {
        maven.terminate();
        maven.end(Duration.ofSeconds(5));
      }
      SparkHome.at(made);
      Files.move(made, home, StandardCopyOption.ATOMIC_MOVE);
    } finally {
      ClusterFiles.delete(work);
    }
  }
}
