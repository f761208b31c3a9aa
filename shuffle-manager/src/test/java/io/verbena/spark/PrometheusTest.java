package io.verbena.spark;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.spark.HashPartitioner;
import org.apache.spark.api.java.JavaSparkContext;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import scala.Tuple2;

/** Names in Prometheus: those of Spark's endpoint, of the reference page and of the dashboard. */
class PrometheusTest {
  private static final Pattern SAMPLE = Pattern.compile("(\\w+)\\{type=\"\\w+\"} (\\S+)");
  private static final Pattern NAME = Pattern.compile("verbena_\\w+");
  private static final List<String> QUANTILES = List.of("50thPercentile", "99thPercentile");

  @TempDir Path folder;

  /** Names that the dashboard has to show: of a histogram one quantile at least. */
  private static Set<String> names() {
    Set<String> names = new TreeSet<>();
    for (ShuffleMetric metric : ShuffleMetric.values()) {
      metric.parts().forEach(part -> names.add(MetricsReference.prometheusName(metric, part)));
    }
    return names;
  }

  private static Set<String> queried() throws IOException {
    Path file = Path.of(System.getProperty("verbena.docs"), "grafana-dashboard.json");
    JsonNode dashboard = new ObjectMapper().readTree(file.toFile());
    Set<String> names = new TreeSet<>();
    for (String query : dashboard.findValuesAsText("expr")) {
      Set<String> found =
          NAME.matcher(query).results().map(MatchResult::group).collect(Collectors.toSet());
      assertThat(found).as(query).isNotEmpty();
      names.addAll(found);
    }
    return names;
  }

  /** What Spark's endpoint serves of a driver in local mode, relabelled as the page says. */
  private Map<String, Double> served() throws IOException, InterruptedException {
    String page;
    try (JavaSparkContext context =
        new LocalSpark(folder)
            .with("spark.ui.enabled", "true")
            .with("spark.ui.port", "0")
            .with("spark.ui.showConsoleProgress", "false")
            .with(
                "spark.metrics.conf.driver.sink.prometheusServlet.class",
                "org.apache.spark.metrics.sink.PrometheusServlet")
            .with("spark.metrics.conf.driver.sink.prometheusServlet.path", "/metrics/prometheus")
            .start()) {
      shuffle(context);
      URI address = URI.create(context.sc().uiWebUrl().get() + "/metrics/prometheus/");
      page =
          HttpClient.newHttpClient()
              .send(
                  HttpRequest.newBuilder(address).timeout(Duration.ofSeconds(30)).build(),
                  HttpResponse.BodyHandlers.ofString())
              .body();
    }
    Map<String, Double> values = new HashMap<>();
    Pattern name = Pattern.compile(MetricsReference.PROMETHEUS_NAME);
    for (String line : page.lines().toList()) {
      Matcher sample = SAMPLE.matcher(line);
      assertThat(sample.matches()).as(line).isTrue();
      Matcher parts = name.matcher(sample.group(1));
      if (parts.matches()) {
        assertThat(parts.group(1)).startsWith("local_");
        assertThat(parts.group(2)).isEqualTo("driver");
        values.put("verbena_" + parts.group(3), Double.valueOf(sample.group(2)));
      }
    }
    return values;
  }

  private static void shuffle(JavaSparkContext context) {
    List<Integer> numbers = IntStream.range(0, 1000).boxed().toList();
    assertThat(
            context
                .parallelize(numbers, 2)
                .mapToPair(n -> new Tuple2<>(n, n))
                .partitionBy(new HashPartitioner(3))
                .count())
        .isEqualTo(1000);
  }

  @Test
  void endpointOfSparkServesEveryNameThatPageAndDashboardHave() throws Exception {
    Map<String, Double> served = served();
    assertThat(served.keySet()).containsAll(names()).containsAll(queried());
    assertThat(served.get("verbena_read_local_blocks_Count")).isEqualTo(6);
    assertThat(served.get("verbena_runs_inPool_Count")).isEqualTo(2);
    assertThat(served.get("verbena_pool_highWater_Value")).isPositive();
    assertThat(served.get("verbena_pool_limit_Value")).isEqualTo(256 << 20);
  }

  /** What Spark's sink for Graphite sends until the application has ended. */
  private List<String> pushed() throws Exception {
    try (ServerSocket server = new ServerSocket(0, 10, InetAddress.getLoopbackAddress())) {
      server.setSoTimeout(60_000);
      CompletableFuture<List<String>> lines = CompletableFuture.supplyAsync(() -> received(server));
      String sink = "spark.metrics.conf.driver.sink.graphite.";
      try (JavaSparkContext context =
          new LocalSpark(folder)
              .with(sink + "class", "org.apache.spark.metrics.sink.GraphiteSink")
              .with(sink + "host", server.getInetAddress().getHostAddress())
              .with(sink + "port", Integer.toString(server.getLocalPort()))
              .with(sink + "period", "60")
              .start()) {
        shuffle(context);
      }
      return lines.get(60, TimeUnit.SECONDS);
    }
  }

  private static List<String> received(ServerSocket server) {
    try (Socket socket = server.accept()) {
      socket.setSoTimeout(60_000);
      return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8)
          .lines()
          .toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Test
  void mappingOfThePageGivesWhatIsPushedToGraphiteTheSameNames() throws Exception {
    Map<String, Double> mapped = new HashMap<>();
    for (String line : pushed()) {
      String[] fields = line.split(" ", -1);
      for (Map.Entry<String, String> each : MetricsReference.GRAPHITE_NAMES.entrySet()) {
        Matcher parts = Pattern.compile(each.getKey()).matcher(fields[0]);
        if (parts.matches()) {
          assertThat(parts.group(1)).startsWith("local-");
          assertThat(parts.group(2)).isEqualTo("driver");
          String name = parts.replaceFirst(each.getValue().replaceAll("\\{(\\d)}", "$1"));
          mapped.put(name.replace('.', '_'), Double.valueOf(fields[1]));
          break;
        }
      }
    }
    assertThat(mapped.keySet()).containsAll(names()).containsAll(queried());
    assertThat(mapped.get("verbena_read_local_blocks_Count")).isEqualTo(6);
    assertThat(mapped.get("verbena_pool_limit_Value")).isEqualTo(256 << 20);
  }

  @Test
  void dashboardAsksForEveryMetricAndForNoOther() throws IOException {
    Set<String> known = new HashSet<>(names());
    for (String part : ShuffleMetric.READ_LATENCY.parts()) {
      for (String quantile : QUANTILES) {
        known.add("verbena_read_" + part + "_latency_" + quantile);
      }
    }
    assertThat(queried()).containsAll(names()).isSubsetOf(known);
  }
}
