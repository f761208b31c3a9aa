package io.verbena.it.docs;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** The source of what users get, for tests that compare pages with it. */
final class Sources {
  private static final Path ROOT = Path.of("..");

  private Sources() {}

  /** The main sources, with string literals in one piece. */
  static List<String> all() {
    try (Stream<Path> modules = Files.list(ROOT)) {
      return modules
          .map(module -> module.resolve("src/main/java/io/verbena"))
          .filter(folder -> Files.isDirectory(folder) && !folder.startsWith("../integration-tests"))
          .flatMap(Sources::files)
          .map(file -> read(file).replaceAll("\"\\s*\\+ \"", ""))
          .toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** All sources below a folder. */
  static Stream<Path> files(Path folder) {
    try (Stream<Path> files = Files.walk(folder)) {
      return files.filter(file -> file.toString().endsWith(".java")).toList().stream();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** What a file has. */
  static String read(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
