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
    return files("src/main/java/io/verbena")
        .filter(file -> !file.startsWith("../integration-tests"))
        .map(file -> read(file).replaceAll("\"\\s*\\+ \"", ""))
        .toList();
  }

  /** All sources of a folder that modules have. */
  static Stream<Path> files(String name) {
    try (Stream<Path> modules = Files.list(ROOT)) {
      return modules
          .map(module -> module.resolve(name))
          .filter(Files::isDirectory)
          .flatMap(Sources::files)
          .toList()
          .stream();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Stream<Path> files(Path folder) {
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
