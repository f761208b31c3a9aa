package io.verbena.it.docs;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbena.log.LogKey;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The table of log keys in {@code docs/operations.md} says what the code says. */
final class LogKeysTest {
  private static final String PAGE = "docs/operations.md";
  private static final Pattern ROW =
      Pattern.compile("(?m)^\\| `([a-z_]+)` \\| (yes|no) \\| [^|]+ \\|$");

  @Test
  void everyKeyHasItsRowWhichSaysWhetherSparkHasItToo() throws IOException {
    List<String> rows =
        ROW.matcher(Files.readString(Path.of("..", PAGE)))
            .results()
            .map(row -> row.group(1) + " " + row.group(2))
            .toList();
    assertThat(rows)
        .as("rows of %s", PAGE)
        .containsExactlyElementsOf(
            Arrays.stream(LogKey.values())
                .map(key -> key.key() + (key.ofSpark() ? " yes" : " no"))
                .toList());
  }

  @Test
  void everyKeyIsLogged() {
    List<String> sources = Sources.all();
    for (LogKey key : LogKey.values()) {
      assertThat(sources)
          .as("%s is in no line", key)
          .anyMatch(
              source ->
                  source.contains(" " + key + ".is(") || source.contains(" " + key + ".also("));
    }
  }
}
