package io.verbena.it.cluster;

import java.io.IOException;
import java.net.URISyntaxException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * A folder that Spark's launch scripts would call {@code SPARK_HOME}, of which only {@code jars/}
 * is needed.
 *
 * @param path the folder that holds {@code jars/}
 * @param scalaVersion Scala's binary version, such as {@code 2.13}
 * @param sparkVersion Spark's version, such as {@code 4.1.2}
 */
public record SparkHome(Path path, String scalaVersion, String sparkVersion) {
  /** System property that names another home than the one which the build makes. */
  public static final String PROPERTY = "verbena.it.spark.home";

  private static final Pattern CORE = Pattern.compile("spark-core_(\\d+\\.\\d+)-(.+)\\.jar");

  /**
   * The home that {@value #PROPERTY} names, or else {@code target/spark-home} of this module.
   *
   * @throws ClusterException when it has no Spark jars
   */
  public static SparkHome locate() {
    String property = System.getProperty(PROPERTY);
    return at(property == null ? targetFolder().resolve("spark-home") : Path.of(property));
  }

  /**
   * The home at this path; versions are read off the name of Spark's core jar.
   *
   * @throws ClusterException when it has no Spark jars
   */
  public static SparkHome at(Path path) {
    Path jars = path.resolve("jars");
    if (Files.isDirectory(jars)) {
      try (Stream<Path> files = Files.list(jars)) {
        List<Matcher> cores =
            files
                .map(file -> CORE.matcher(file.getFileName().toString()))
                .filter(Matcher::matches)
                .toList();
        if (cores.size() > 1) {
          throw new ClusterException(
              jars + " holds spark-core more than once: build it anew with mvn clean package");
        }
        if (cores.size() == 1) {
          Matcher core = cores.get(0);
          return new SparkHome(path.toAbsolutePath(), core.group(1), core.group(2));
        }
      } catch (IOException e) {
        throw new ClusterException("cannot list " + jars, e);
      }
    }
    throw new ClusterException(
        "no spark-core jar in "
            + jars
            + ": build it with mvn package, or name a Spark home with -D"
            + PROPERTY);
  }

  /** Spark's jar of this name without version, if it is there. */
  Optional<Path> jar(String name) {
    Pattern pattern = Pattern.compile(Pattern.quote(name) + "-\\d.*\\.jar");
    try (Stream<Path> files = Files.list(path.resolve("jars"))) {
      return files.filter(f -> pattern.matcher(f.getFileName().toString()).matches()).findFirst();
    } catch (IOException e) {
      throw new ClusterException("cannot list the jars of " + path, e);
    }
  }

  /** Options that this version of Spark gives its JVMs: what it needs opened differs. */
  List<String> moduleOptions() {
    Path launcher =
        jar("spark-launcher_" + scalaVersion)
            .orElseThrow(() -> new ClusterException("no spark-launcher jar in " + path));
    try (URLClassLoader loader =
        new URLClassLoader(
            new URL[] {launcher.toUri().toURL()}, ClassLoader.getPlatformClassLoader())) {
      String options =
          (String)
              loader
                  .loadClass("org.apache.spark.launcher.JavaModuleOptions")
                  .getMethod("defaultModuleOptions")
                  .invoke(null);
      return List.of(options.split(" "));
    } catch (IOException | ReflectiveOperationException e) {
      throw new ClusterException("cannot ask " + launcher + " for the options of JVMs", e);
    }
  }

  /** The folder {@code target} of this module: where this class was loaded from lies in it. */
  static Path targetFolder() {
    try {
      Path code =
          Path.of(SparkHome.class.getProtectionDomain().getCodeSource().getLocation().toURI());
      return code.toAbsolutePath().getParent();
    } catch (URISyntaxException e) {
      throw new ClusterException("cannot tell where " + SparkHome.class + " was loaded from", e);
    }
  }
}
