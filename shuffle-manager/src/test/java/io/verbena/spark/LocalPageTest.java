package io.verbena.spark;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.apache.spark.api.java.JavaSparkContext;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The page and the event log of a driver in this process. */
@Timeout(120)
class LocalPageTest {
  @TempDir Path folder;
  @TempDir Path logs;

  private static String get(String url) throws IOException, InterruptedException {
    HttpResponse<String> answer =
        HttpClient.newBuilder()
            .followRedirects(HttpClient.Redirect.NORMAL)
            .build()
            .send(
                HttpRequest.newBuilder(URI.create(url)).timeout(Duration.ofSeconds(30)).build(),
                HttpResponse.BodyHandlers.ofString());
    assertThat(answer.statusCode()).as(url).isEqualTo(200);
    return answer.body();
  }

  private LocalSpark spark() {
    return new LocalSpark(folder).with("spark.ui.port", "0").with("spark.ui.host", "127.0.0.1");
  }

  private List<String> events() throws IOException {
    try (Stream<Path> files = Files.walk(logs)) {
      Path log = files.filter(Files::isRegularFile).findFirst().orElseThrow();
      return Files.readAllLines(log).stream()
          .filter(line -> line.contains("ShuffleFiguresEvent"))
          .toList();
    }
  }

  @Test
  void theLivePageHasTheFiguresOfTheDriver() throws Exception {
    LocalSpark spark = spark().with("spark.ui.enabled", "true");
    try (JavaSparkContext context = spark.start()) {
      String url = context.sc().uiWebUrl().get() + "/rdma-shuffle/";
      LocalSpark.shuffled(context).count();

      String page = get(url);
      while (!page.contains("rdma-executors")) {
        Thread.sleep(100);
        page = get(url);
      }
      assertThat(page).contains("RDMA Shuffle", "<td>driver</td>", "<td>running</td>");
    }
  }

  @Test
  void theEventLogHasTheLastFiguresAlsoWithoutUi() throws Exception {
    LocalSpark spark =
        spark()
            .with("spark.eventLog.enabled", "true")
            .with("spark.eventLog.rolling.enabled", "false")
            .with("spark.eventLog.compress", "false")
            .with("spark.eventLog.dir", logs.toUri().toString());

    spark.run(context -> LocalSpark.shuffled(context).count());

    List<String> events = events();
    assertThat(events.get(events.size() - 1))
        .contains("\"executor\":\"driver\"", "\"localBlocks\":12");
  }
}
