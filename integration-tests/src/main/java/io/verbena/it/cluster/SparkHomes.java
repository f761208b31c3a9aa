package io.verbena.it.cluster;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;

/**
 * Homes of Spark versions other than the one that the build is made with, kept in {@code
 * target/spark-homes}.
 */
public final class SparkHomes {
  private SparkHomes() {}

  /**
   * The home of a version, which is made when it is not there.
   *
   * @param spark Spark's version, such as {@code 3.5.8}
   * @param scala Scala's binary version, such as {@code 2.12}
   * @throws ClusterException when Maven is missing or cannot resolve the jars; with its output
   */
  public static SparkHome provide(String spark, String scala) throws InterruptedException {
    Optional<SparkHome> built = built(spark, scala);
    if (built.isPresent()) {
      return built.get();
    }
    return SparkHome.at(
        MavenFolder.provide(
            "spark-homes",
            spark + "_" + scala,
            "spark-home/pom.xml",
            Map.of("spark.version", spark, "scala.binary.version", scala)));
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
}
