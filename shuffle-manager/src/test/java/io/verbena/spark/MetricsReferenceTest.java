package io.verbena.spark;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.fail;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MetricsReferenceTest {
  private static final String REFRESH =
      "mvn -q -pl shuffle-manager -am process-classes -Dverbena.docs.skip=false";

  @TempDir Path directory;

  @Test
  void thePageInTheDocsIsUpToDate() throws IOException {
    Path page = Path.of(System.getProperty("verbena.docs"), "metrics.md");
    String found = Files.exists(page) ? Files.readString(page) : "";
    if (!found.equals(MetricsReference.page())) {
      fail("docs/metrics.md is stale. In the project's root run: " + REFRESH);
    }
  }

  @Test
  void thePageNamesTheCommandThatRefreshesIt() {
    assertThat(MetricsReference.page()).contains("\n     " + REFRESH + " -->");
  }

  @Test
  void everyMetricHasItsRowsAndAPrometheusName() {
    String page = MetricsReference.page();
    for (ShuffleMetric metric : ShuffleMetric.values()) {
      assertThat(page)
          .containsOnlyOnce("\n| `" + metric.pattern() + "` | " + lower(metric.kind()))
          .containsOnlyOnce("| " + metric.meaning() + " |\n")
          .contains("\n| `" + metric.pattern() + "` | `verbena_");
      assertThat(metric.meaning()).endsWith(".");
      assertThat(metric.name("x")).matches("[a-z]+(\\.[a-zA-Z]+)+");
    }
  }

  private static String lower(Enum<?> value) {
    return value.name().toLowerCase(java.util.Locale.ROOT);
  }

  @Test
  void thePageIsWrittenToTheNamedFile() throws IOException {
    Path file = directory.resolve("page.md");
    MetricsReference.main(new String[] {file.toString()});
    assertThat(file).hasContent(MetricsReference.page());
    assertThatIllegalArgumentException()
        .isThrownBy(() -> MetricsReference.main(new String[0]))
        .withMessage("one file is wanted, not ");
  }
}
