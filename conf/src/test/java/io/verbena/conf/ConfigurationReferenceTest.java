package io.verbena.conf;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.fail;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ConfigurationReferenceTest {
  private static final String REFRESH = "mvn -q -pl conf compile exec:java";

  @TempDir Path directory;

  @Test
  void thePageInTheDocsIsUpToDate() throws IOException {
    Path page = Path.of(System.getProperty("verbena.docs"), "configuration.md");
    String found = Files.exists(page) ? Files.readString(page) : "";
    if (!found.equals(ConfigurationReference.page())) {
      fail("docs/configuration.md is stale. In the project's root run: " + REFRESH);
    }
  }

  @Test
  void thePageNamesTheCommandThatRefreshesIt() {
    assertThat(ConfigurationReference.page()).contains("\n     " + REFRESH + " -->");
  }

  @Test
  void everyOptionHasItsRowTextLimitsAndDefault() {
    String page = ConfigurationReference.page();
    for (ConfOption<?> option : RdmaOptions.all()) {
      assertThat(page)
          .containsOnlyOnce("\n| `" + option.key() + "` | " + option.type().name() + " | ")
          .containsOnlyOnce("\n### `" + option.key() + "`\n\n" + option.doc() + "\n");
      for (DocumentedValue value : option.type().values()) {
        assertThat(page).contains("\n- `" + value.spelling() + "`: " + value.doc() + ".\n");
      }
    }
    assertThat(page)
        .contains("Allowed: a power of two from 1m to 1g. Default: `256m`.")
        .contains(
            "Allowed: a power of two from 64k to 16m, and at most 1/16 of"
                + " `spark.shuffle.rdma.pool.regionSize`. Default: `256k`.");
  }

  @Test
  void thePageIsWrittenToTheNamedFile() throws IOException {
    Path file = directory.resolve("page.md");
    ConfigurationReference.main(new String[] {file.toString()});
    assertThat(file).hasContent(ConfigurationReference.page());
  }

  @Test
  void withoutAFileThePageIsPrinted() throws IOException {
    PrintStream before = System.out;
    ByteArrayOutputStream printed = new ByteArrayOutputStream();
    System.setOut(new PrintStream(printed, true, StandardCharsets.UTF_8));
    try {
      ConfigurationReference.main(new String[0]);
    } finally {
      System.setOut(before);
    }
    assertThat(printed.toString(StandardCharsets.UTF_8)).isEqualTo(ConfigurationReference.page());
  }

  @Test
  void moreThanOneFileIsRefused() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> ConfigurationReference.main(new String[] {"a", "b"}))
        .withMessage("one file at most, not a b");
  }
}
