package io.verbena.bench;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/** Folders of the benchmarks. */
final class BenchFiles {
  /** System property that names the folder for results; default {@code target/bench}. */
  static final String RESULTS_PROPERTY = "verbena.bench.results";

  private BenchFiles() {}

  static Path results() {
    return Path.of(System.getProperty(RESULTS_PROPERTY, "target/bench")).toAbsolutePath();
  }

  /** Where logs of a run's processes are kept. */
  static Path logs() {
    return results().resolve("logs");
  }

  /** Where profiles' stacks are kept. */
  static Path profiles() {
    return results().resolve("profile");
  }

  /** Where measured files lie: the system's folder for temporary files, as Spark has it. */
  static Path scratch() {
    return Path.of(System.getProperty("java.io.tmpdir"));
  }

  /** Moves the logs of a run to the results and removes everything else of it. */
  static void keepLogs(Path folder) throws IOException {
    Path logs = Files.createDirectories(logs());
    List<Path> all;
    try (Stream<Path> files = Files.walk(folder)) {
      all = files.sorted(Comparator.reverseOrder()).toList();
    }
    for (Path file : all) {
      if (file.getParent().equals(folder) && file.toString().endsWith(".log")) {
        Files.move(file, logs.resolve(file.getFileName()), StandardCopyOption.REPLACE_EXISTING);
      } else {
        delete(file);
      }
    }
  }

  /** Removes a folder with all that is in it. */
  static void deleteAll(Path folder) throws IOException {
    try (Stream<Path> files = Files.walk(folder)) {
      files.sorted(Comparator.reverseOrder()).forEach(BenchFiles::delete);
    }
  }

  /** Where what workloads read is kept, from one run to the next. */
  static Path data() {
    return results().resolve("data");
  }

  private static void delete(Path file) {
    try {
      Files.deleteIfExists(file);
    } catch (IOException e) {
      throw new UncheckedIOException("cannot remove " + file, e);
    }
  }
}
