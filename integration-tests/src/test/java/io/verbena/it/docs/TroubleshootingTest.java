package io.verbena.it.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** {@code docs/troubleshooting.md} says what the code says. */
final class TroubleshootingTest {
  private static final Path ROOT = Path.of("..");
  private static final String PAGE = "docs/troubleshooting.md";
  private static final Pattern WARNING =
      Pattern.compile("LOG\\s*\\.(?:warn|error)\\(\\s*\"((?:[^\"\\\\]|\\\\.)*)\"");
  private static final Pattern ROW = Pattern.compile("(?m)^\\| `(.*?)` \\|");
  private static final Pattern QUOTED = Pattern.compile("(?m)^ *- `([^`]+)`");

  private final String page = read(ROOT.resolve(PAGE));
  private final List<String> sources = sources();

  @Test
  void everyWarningStandsInTheTableAndEveryRowIsAWarning() {
    TreeSet<String> logged = new TreeSet<>();
    for (String source : sources) {
      WARNING
          .matcher(source)
          .results()
          .map(found -> found.group(1).replace("\\\"", "\""))
          .forEach(logged::add);
    }
    assertThat(logged).hasSizeGreaterThan(20);
    assertThat(ROW.matcher(page).results().map(found -> found.group(1)))
        .as("the table of warnings in %s, beside those of the sources", PAGE)
        .containsExactlyInAnyOrderElementsOf(logged);
  }

  @Test
  void wordsToSearchForAreThoseOfTheCode() {
    List<String> quoted = QUOTED.matcher(page).results().map(TroubleshootingTest::words).toList();
    assertThat(quoted).hasSizeGreaterThan(15);
    for (String words : quoted) {
      // Spark's, or put together of what is not one literal.
      if (words.startsWith("ClassNotFoundException") || words.startsWith("shuffle ...")) {
        continue;
      }
      for (String part : words.split("\\.\\.\\.|tmpfs at", -1)) {
        if (part.strip().length() > 8) {
          assertThat(sources)
              .as("no source has \"%s\", which %s quotes", part.strip(), PAGE)
              .anyMatch(source -> source.contains(part.strip()));
        }
      }
    }
  }

  private static String words(MatchResult found) {
    return found.group(1);
  }

  /** The main sources, with string literals in one piece. */
  private static List<String> sources() {
    try (Stream<Path> modules = Files.list(ROOT)) {
      return modules
          .map(module -> module.resolve("src/main/java/io/verbena"))
          .filter(folder -> Files.isDirectory(folder) && !folder.startsWith("../integration-tests"))
          .flatMap(TroubleshootingTest::files)
          .map(file -> read(file).replaceAll("\"\\s*\\+ \"", ""))
          .toList();
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

  private static String read(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
