package io.verbena.spark;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/** Writes the reference page of all metrics, {@code docs/metrics.md}. */
public final class MetricsReference {
  /** What takes Spark's names of Prometheus metrics apart: application, executor, the rest. */
  static final String PROMETHEUS_NAME = "metrics_(.+)_(driver|[0-9]+)_verbena_(.+)";

  private static final String INTRODUCTION =
      """
      <!-- Generated from io.verbena.spark.ShuffleMetric. To change it, change the metric and run
           mvn -q -pl shuffle-manager -am process-classes -Dverbena.docs.skip=false -->

      # Metrics

      Every executor has the metrics below in Spark's own metrics system, as source `verbena`, from
      the first task that shuffles. Whatever sinks are configured see them, for instance with

          --conf spark.metrics.conf.executor.sink.csv.class=org.apache.spark.metrics.sink.CsvSink
          --conf spark.metrics.conf.executor.sink.csv.directory=/var/tmp/metrics

      Spark puts the application's id (or `spark.metrics.namespace`) and the executor's id before
      the name: `app-20261202074500-0003.0.verbena.pool.bytes`. In local mode the executor's id is
      `driver`.

      **Gauges** are figures of the moment. **Counters** start at 0 with the executor and only grow.
      **Histograms** show times of the last one to two minutes by quantiles; buckets are a quarter
      of their lower bound wide, so a quantile is at most an eighth off. Their count grows from the
      executor's start. Times are nanoseconds, sizes bytes.

      Counting costs an atomic addition or two per segment, and two looks at the clock per list of
      READs; nothing is allocated and nothing is sent until a sink asks.

      """;

  /** Patterns of what Spark's GraphiteSink sends, and names for it; the first that fits counts. */
  static final Map<String, String> GRAPHITE_NAMES = graphiteNames();

  private static final String PROMETHEUS =
      """

      ## Prometheus and Grafana

      Prometheus' names are the same by both ways that Spark has:

      - of executors, JMX: `spark.metrics.conf.executor.sink.jmx.class=org.apache.spark.metrics.sink.JmxSink`
        and Prometheus' JMX exporter as agent of the executors' JVMs
        (`spark.executor.extraJavaOptions=-javaagent:...`), with its default rules: below;
      - of the driver, and so in local mode, Spark's own endpoint:
        `spark.metrics.conf.driver.sink.prometheusServlet.class=org.apache.spark.metrics.sink.PrometheusServlet`
        with `...prometheusServlet.path=/metrics/prometheus`, served by the application's web UI.
        Executors have no web UI, so it does not serve theirs; and `spark.ui.prometheus.enabled`
        serves Spark's own figures of executors, none of any source.

      The agent takes a port and a file with its settings. Both are checked before the executor
      starts, which ends at once if the port is taken. Where each executor has an address of its own,
      as on Kubernetes, any port does. Where several share a host, let Spark put the executor's id
      into the port:

          --conf spark.executor.extraJavaOptions=-javaagent:/opt/jmx_prometheus_javaagent.jar=193{{EXECUTOR_ID}}:/opt/jmx.yaml

      has ports 1930 to 1939 and then 19310 to 19399, for executors 0 to 99: with more in the life of
      the application, executors lost and replaced among them, take a sink that pushes, such as
      Spark's `GraphiteSink`. Another application on the same hosts needs another number in front. The
      jar and the file have to be on every host; for the default rules `{}` is all that the file has
      to hold. The agent listens on all addresses, without a password; `HOST:` before the port limits
      it to one.

      Both ways put application and executor into the name:
      `metrics_app_20261202074500_0003_0_verbena_pool_bytes_Value{type="gauges"}`. This makes labels
      of them, in the scrape configuration of Prometheus:

          metric_relabel_configs:
            - source_labels: [__name__]
              regex: NAME
              target_label: application
              replacement: $1
            - source_labels: [__name__]
              regex: NAME
              target_label: executor
              replacement: $2
            - source_labels: [__name__]
              regex: NAME
              target_label: __name__
              replacement: verbena_$3

      and leaves the names of the last column of the table below. Of a histogram there are also
      `_Count`, `_Min`, `_Max`, `_Mean`, `_StdDev` and `_50thPercentile`, `75`, `95`, `98`, `999`.

      [grafana-dashboard.json](grafana-dashboard.json) shows all of it by those names: import it into
      Grafana and choose the Prometheus data source. Set its scrape interval to that of Prometheus,
      since rates are taken over four of it. To see whether figures arrive, ask Prometheus for
      `verbena_pool_limit_Value`: one series for each executor that has shuffled. Without an RDMA
      device all of `verbs` is 0.

      **GraphiteSink.** What Spark pushes to Graphite has other names, so the labels above do not come
      of them: `app-20261202074500-0003.0.verbena.pool.bytes` for a gauge, `.count` after a counter, and
      after a histogram `.count`, `.p50` and so on. When it goes to Prometheus by its
      `graphite_exporter`, this file for the exporter's `--graphite.mapping-config` (needs the
      exporter; a test applies it to what Spark sends) gives the same names and labels, and the
      dashboard works as it is:

      MAPPINGS

      Leave `metric_relabel_configs` out then. In Graphite itself such names need no change; the
      dashboard's queries are Prometheus'.

      | metric | in Prometheus |
      |---|---|
      """
          .replace("NAME", PROMETHEUS_NAME)
          .replace("MAPPINGS\n", mappings());

  private final StringBuilder page = new StringBuilder(INTRODUCTION);

  private MetricsReference() {}

  private static Map<String, String> graphiteNames() {
    String name = "(.+)\\.(driver|[0-9]+)\\.verbena\\.(.+)";
    Map<String, String> names = new LinkedHashMap<>();
    names.put(name + "\\.p([0-9]+)", "verbena_${3}_${4}thPercentile");
    names.put(name + "\\.count", "verbena_${3}_Count");
    names.put(name + "\\.(max|mean|min|stddev)", "verbena_${3}_${4}");
    names.put(name, "verbena_${3}_Value");
    return names;
  }

  private static String mappings() {
    StringBuilder text = new StringBuilder("    mappings:\n");
    GRAPHITE_NAMES.forEach(
        (pattern, name) ->
            text.append("      - match: '^")
                .append(pattern)
                .append("$'\n")
                .append("        match_type: regex\n")
                .append("        name: ")
                .append(name)
                .append('\n')
                .append("        labels: {application: $1, executor: $2}\n"));
    return text.toString();
  }

  /**
   * Entry point.
   *
   * @param args the file to write
   * @throws IOException if it cannot be written
   */
  public static void main(String[] args) throws IOException {
    if (args.length != 1) {
      throw new IllegalArgumentException("one file is wanted, not " + String.join(" ", args));
    }
    Files.writeString(Path.of(args[0]), page());
  }

  /** The whole page, in Markdown. */
  static String page() {
    return new MetricsReference().build();
  }

  /** A metric's name in Prometheus, relabelled as the page says. */
  static String prometheusName(ShuffleMetric metric, String part) {
    return "verbena_" + metric.name(part).replace('.', '_') + "_" + metric.kind().suffix();
  }

  private String build() {
    page.append("| metric | kind | unit | meaning |\n|---|---|---|---|\n");
    for (ShuffleMetric metric : ShuffleMetric.values()) {
      page.append("| `").append(metric.pattern()).append("` | ");
      page.append(lower(metric.kind())).append(" | ").append(lower(metric.unit())).append(" | ");
      page.append(metric.meaning()).append(" |\n");
    }
    page.append("\nWhat `*` stands for:\n\n");
    for (ShuffleMetric.Each each : ShuffleMetric.Each.values()) {
      if (!each.parts().isEmpty()) {
        page.append("- ").append(each.meaning()).append(": ");
        page.append(
            each.parts().stream().map(part -> "`" + part + "`").collect(Collectors.joining(", ")));
        page.append(".\n");
      }
    }
    page.append(PROMETHEUS);
    for (ShuffleMetric metric : ShuffleMetric.values()) {
      page.append("| `").append(metric.pattern()).append("` | `");
      page.append(prometheusName(metric, "*")).append("` |\n");
    }
    return page.toString();
  }

  private static String lower(Enum<?> value) {
    return value.name().toLowerCase(Locale.ROOT);
  }
}
