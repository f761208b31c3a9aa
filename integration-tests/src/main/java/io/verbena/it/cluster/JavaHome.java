package io.verbena.it.cluster;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Properties;
import java.util.stream.Stream;

/**
 * A Java installation that processes are started with.
 *
 * @param path the folder that holds {@code bin/java}
 * @param version its version, such as {@code 17.0.15}
 * @param build all that its file {@code release} says: differs between any two builds
 */
public record JavaHome(Path path, String version, String build) {
  /** Environment variable with the folder to look for installations in. */
  public static final String FOLDER_VARIABLE = "VERBENA_JVM_DIR";

  private static final String DEFAULT_FOLDER = "/usr/lib/jvm";

  /**
   * The installation at this path.
   *
   * @throws ClusterException when there is none
   */
  public static JavaHome at(Path path) {
    Path home = path.toAbsolutePath();
    if (!Files.isExecutable(home.resolve("bin/java"))) {
      throw new ClusterException("no Java in " + home + ": bin/java is not there");
    }
    Path release = home.resolve("release");
    Properties properties = new Properties();
    try (var reader = Files.newBufferedReader(release)) {
      properties.load(reader);
    } catch (IOException e) {
      throw new ClusterException("cannot read " + release, e);
    }
    String version = properties.getProperty("JAVA_VERSION", "").replace("\"", "");
    if (version.isEmpty()) {
      throw new ClusterException(release + " has no JAVA_VERSION");
    }
    return new JavaHome(home, version, properties.toString());
  }

  /** The one that runs this code. */
  public static JavaHome current() {
    return at(Path.of(System.getProperty("java.home")));
  }

  /**
   * An installation of this feature release: the running one, that of {@code JAVA_HOME}, or one in
   * {@link #folder}.
   */
  public static Optional<JavaHome> find(int feature) {
    List<Path> candidates = new ArrayList<>();
    candidates.add(Path.of(System.getProperty("java.home")));
    Optional.ofNullable(System.getenv("JAVA_HOME")).map(Path::of).ifPresent(candidates::add);
    if (Files.isDirectory(folder())) {
      try (Stream<Path> entries = Files.list(folder())) {
        entries.sorted().forEach(candidates::add);
      } catch (IOException e) {
        throw new ClusterException("cannot list " + folder(), e);
      }
    }
    return candidates.stream()
        .filter(path -> Files.isExecutable(path.resolve("bin/java")))
        .filter(path -> Files.isReadable(path.resolve("release")))
        .map(JavaHome::at)
        .filter(java -> java.feature() == feature)
        .findFirst();
  }

  /** Where {@link #find} looks: {@value #FOLDER_VARIABLE}, or {@code /usr/lib/jvm}. */
  public static Path folder() {
    return Path.of(Optional.ofNullable(System.getenv(FOLDER_VARIABLE)).orElse(DEFAULT_FOLDER));
  }

  /** The feature release, such as 17. */
  public int feature() {
    return Runtime.Version.parse(version).feature();
  }

  /** The command {@code java}. */
  String java() {
    return path.resolve("bin/java").toString();
  }
}
