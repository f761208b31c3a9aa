package io.verbena.doctor;

import java.util.List;
import java.util.Optional;

/**
 * Versions of Spark that the jar is tested on.
 *
 * @param line first two parts of the version
 */
record SupportedSpark(String line, List<String> scala, List<Integer> java) {
  /** The jar's classes are made for it. */
  static final int OLDEST_JAVA = 17;

  private static final List<SupportedSpark> ALL =
      List.of(
          new SupportedSpark("3.5", List.of("2.12", "2.13"), List.of(17)),
          new SupportedSpark("4.0", List.of("2.13"), List.of(17)),
          new SupportedSpark("4.1", List.of("2.13"), List.of(17)),
          new SupportedSpark("4.2", List.of("2.13"), List.of(17, 25)));

  static Optional<SupportedSpark> of(String version) {
    return ALL.stream().filter(each -> version.startsWith(each.line() + ".")).findFirst();
  }

  /** Releases of Java that a version is tested with, or any version when none is known. */
  static List<Integer> javaFor(Optional<String> version) {
    return version
        .flatMap(SupportedSpark::of)
        .map(SupportedSpark::java)
        .orElseGet(
            () -> ALL.stream().flatMap(each -> each.java().stream()).distinct().sorted().toList());
  }

  static String all() {
    return String.join(", ", ALL.stream().map(SupportedSpark::toString).toList());
  }

  @Override
  public String toString() {
    return line + " (Scala " + String.join(", ", scala) + ")";
  }
}
