package io.verbena.it.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** {@code docs/troubleshooting.md} says what the code says. */
final class TroubleshootingTest {
  private static final Path ROOT = Path.of("..");
  private static final String PAGE = "docs/troubleshooting.md";
  private static final Pattern WARNING =
      Pattern.compile("LOG\\s*\\.(?:warn|error)\\(\\s*\"((?:[^\"\\\\]|\\\\.)*)\"");
  private static final Pattern REMEDY =
      Pattern.compile(
          "please report it|does it|removes them|\"doctor\" of this jar|, see |"
              + "\\b(?:check|delete|raise|remove|see|use|run|Look|Is this)\\b");
  private static final Pattern ROW = Pattern.compile("(?m)^\\| `(.*?)` \\|");
  private static final Pattern QUOTED = Pattern.compile("(?m)^ *- `([^`]+)`");

  private final List<String> sources = Sources.all();
  private final String page;

  TroubleshootingTest() throws IOException {
    page = Files.readString(ROOT.resolve(PAGE));
  }

  @Test
  void everyWarningStandsInTheTableAndEveryRowIsAWarning() {
    Set<String> logged = warnings();
    assertThat(logged).hasSizeGreaterThan(20);
    assertThat(ROW.matcher(page).results().map(found -> found.group(1)))
        .as("the table of warnings in %s, beside those of the sources", PAGE)
        .containsExactlyInAnyOrderElementsOf(logged);
  }

  @Test
  void everyWarningSaysWhatToDoOrThatNothingNeedsToBeDone() {
    assertThat(warnings()).allSatisfy(line -> assertThat(line).containsPattern(REMEDY));
  }

  @Test
  void warningsAreLoggedWhereThisTestLooksForThem() {
    Pattern elsewhere = Pattern.compile("[^G\\s]\\s*\\.warn\\(\\s*\"");
    assertThat(sources).allSatisfy(source -> assertThat(source).doesNotContainPattern(elsewhere));
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

  private Set<String> warnings() {
    TreeSet<String> logged = new TreeSet<>();
    for (String source : sources) {
      WARNING
          .matcher(source)
          .results()
          .map(found -> found.group(1).replace("\\\"", "\""))
          .forEach(logged::add);
    }
    return logged;
  }

  private static String words(MatchResult found) {
    return found.group(1);
  }
}
