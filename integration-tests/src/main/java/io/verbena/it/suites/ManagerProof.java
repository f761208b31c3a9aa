package io.verbena.it.suites;

import io.verbena.it.cluster.AppSpec;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Finds out which shuffle the JVMs of a suite have used, from what the JVM itself logs: which
 * classes it has initialised. Covers all executors, and every configuration that a suite may make.
 */
final class ManagerProof {
  private static final String FILES = "classes-";

  /** All ways in which Spark's own manager writes and reads; none is part of ours. */
  private static final Set<String> SPARKS =
      Set.of(
          "org/apache/spark/shuffle/sort/SortShuffleWriter",
          "org/apache/spark/shuffle/sort/UnsafeShuffleWriter",
          "org/apache/spark/shuffle/sort/BypassMergeSortShuffleWriter",
          "org/apache/spark/shuffle/BlockStoreShuffleReader");

  private static final String OURS = AppSpec.VERBENA_MANAGER.replace('.', '/');

  private static final Pattern INITIALIZED = Pattern.compile("Initializing '([^']+)'");

  private ManagerProof() {}

  /** The option that makes a JVM, and all that it starts, write what {@link #problems} reads. */
  static String option(Path folder) {
    return "-Xlog:class+init=info:file=" + folder.resolve(FILES + "%p.log") + ":none:filecount=0";
  }

  /** What speaks against the wanted shuffle having been used by all JVMs, and no other. */
  static List<String> problems(Path folder, boolean own) throws IOException {
    List<String> problems = new ArrayList<>();
    Set<String> seen = new LinkedHashSet<>();
    try (Stream<Path> files = Files.list(folder)) {
      for (Path file : files.filter(f -> f.getFileName().toString().startsWith(FILES)).toList()) {
        seen.addAll(usedIn(file));
      }
    }
    boolean ours = seen.remove(OURS);
    if (own && ours) {
      problems.add("Verbena's manager was used: " + OURS + " was initialised in some JVM");
    } else if (!own && !ours) {
      problems.add("Verbena's manager was not used: " + OURS + " was initialised in no JVM");
    }
    if (own == seen.isEmpty()) {
      problems.add(
          own
              ? "Spark's own shuffle was not used: none of " + SPARKS + " was initialised"
              : "Spark's own shuffle was used: initialised in some JVM were " + seen);
    }
    return problems;
  }

  private static Set<String> usedIn(Path file) throws IOException {
    Set<String> used = new LinkedHashSet<>();
    try (Stream<String> lines = Files.lines(file)) {
      lines
          .map(INITIALIZED::matcher)
          .filter(Matcher::find)
          .map(matcher -> matcher.group(1))
          .filter(name -> name.equals(OURS) || SPARKS.contains(name))
          .forEach(used::add);
    }
    return used;
  }
}
