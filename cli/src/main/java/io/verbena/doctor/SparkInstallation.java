package io.verbena.doctor;

import java.io.File;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The Spark of a host, by the name of its core jar.
 *
 * @param scala binary version
 * @param place where the jar was found
 */
record SparkInstallation(String version, String scala, String place) {
  private static final Pattern CORE =
      Pattern.compile("spark-core_([0-9]+\\.[0-9]+)-([0-9]+\\.[0-9]+.*)\\.jar");

  /** Looks into {@code SPARK_HOME}, then at the class path. */
  static Optional<SparkInstallation> find(Host host) {
    String home = host.env().get("SPARK_HOME");
    if (home != null) {
      String jars = home + "/jars";
      Optional<SparkInstallation> found = first(host.files().names(jars).stream(), jars);
      if (found.isPresent()) {
        return found;
      }
    }
    Stream<String> entries =
        Stream.of(host.property("java.class.path").split(File.pathSeparator, -1));
    return first(entries.map(entry -> new File(entry).getName()), "the class path");
  }

  private static Optional<SparkInstallation> first(Stream<String> names, String place) {
    return names
        .map(CORE::matcher)
        .filter(Matcher::matches)
        .map(match -> new SparkInstallation(match.group(2), match.group(1), place))
        .findFirst();
  }
}
