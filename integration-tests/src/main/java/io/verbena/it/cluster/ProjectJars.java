package io.verbena.it.cluster;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Where the build has put this project's jars. */
public final class ProjectJars {
  /** System property that names another user jar than the one which the build makes. */
  public static final String VERBENA_PROPERTY = "verbena.it.jar";

  private static final String VERSION = "\\d[0-9A-Za-z.]*(-SNAPSHOT)?";

  private ProjectJars() {}

  /** The one jar that users get, {@code shuffle-manager/target/verbena-VERSION.jar}. */
  public static Path verbena() {
    String property = System.getProperty(VERBENA_PROPERTY);
    if (property != null) {
      return Path.of(property).toAbsolutePath();
    }
    Path project = SparkHome.targetFolder().resolve("../..").normalize();
    return find(project.resolve("shuffle-manager/target"), "verbena-" + VERSION + "\\.jar");
  }

  /** The folder of this module, {@code integration-tests}. */
  public static Path module() {
    return SparkHome.targetFolder().getParent();
  }

  /** The jar of this module's main classes: applications and the harness. */
  public static Path applications() {
    return find(SparkHome.targetFolder(), "verbena-integration-tests-" + VERSION + "\\.jar");
  }

  /** The jar of this module's test classes: applications that only tests submit. */
  public static Path testApplications() {
    return find(SparkHome.targetFolder(), "verbena-integration-tests-" + VERSION + "-tests\\.jar");
  }

  /** The trajectory that comes with the source. */
  public static Path sampleTrajectory() {
    return SparkHome.targetFolder().resolve("../data/lj-melt/lj-melt.lammpstrj.gz").normalize();
  }

  private static Path find(Path folder, String name) {
    Pattern pattern = Pattern.compile(name);
    if (Files.isDirectory(folder)) {
      try (Stream<Path> files = Files.list(folder)) {
        List<Path> found =
            files.filter(f -> pattern.matcher(f.getFileName().toString()).matches()).toList();
        if (found.size() == 1) {
          return found.get(0);
        }
        if (found.size() > 1) {
          throw new ClusterException(
              "more than one jar matches: " + found + "; build anew with mvn clean package");
        }
      } catch (IOException e) {
        throw new ClusterException("cannot list " + folder, e);
      }
    }
    throw new ClusterException(
        "no jar " + name + " in " + folder + ": build it with mvn -DskipTests package");
  }
}
