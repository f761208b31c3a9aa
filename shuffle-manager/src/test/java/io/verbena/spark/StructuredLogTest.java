package io.verbena.spark;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.verbena.log.KeyedLogger;
import io.verbena.log.LogKey;
import java.io.IOException;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.apache.logging.log4j.Level;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.ThreadContext;
import org.apache.logging.log4j.core.LoggerContext;
import org.apache.logging.log4j.core.appender.WriterAppender;
import org.apache.logging.log4j.core.config.Configuration;
import org.apache.logging.log4j.core.config.Configurator;
import org.apache.logging.log4j.core.layout.PatternLayout;
import org.apache.logging.log4j.layout.template.json.JsonTemplateLayout;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Log lines as Spark 4 writes them with {@code spark.log.structuredLogging.enabled}. */
class StructuredLogTest {
  private static final String LOGGERS = "io.verbena";
  private static final String TEXT = "%p %c{1}: %m%n%ex";

  @TempDir Path folder;
  private final StringWriter json = new StringWriter();
  private final StringWriter text = new StringWriter();
  private final LoggerContext logging = (LoggerContext) LogManager.getContext(false);
  private final Configuration configuration = logging.getConfiguration();
  private final List<WriterAppender> appenders = new ArrayList<>();

  @BeforeEach
  void setUp() {
    JsonTemplateLayout layout =
        JsonTemplateLayout.newBuilder()
            .setConfiguration(configuration)
            .setEventTemplateUri("classpath:org/apache/spark/SparkLayout.json")
            .build();
    appenders.add(WriterAppender.createAppender(layout, null, json, "json", false, false));
    PatternLayout plain = PatternLayout.newBuilder().withPattern(TEXT).build();
    appenders.add(WriterAppender.createAppender(plain, null, text, "text", false, false));
    for (WriterAppender each : appenders) {
      each.start();
      configuration.getRootLogger().addAppender(each, null, null);
    }
    Configurator.setLevel(LOGGERS, Level.INFO);
  }

  @AfterEach
  void tearDown() {
    for (WriterAppender each : appenders) {
      configuration.getRootLogger().removeAppender(each.getName());
      each.stop();
    }
    Configurator.setLevel(LOGGERS, Level.WARN);
  }

  private JsonNode line(String part) throws IOException {
    List<String> lines = json.toString().lines().filter(line -> line.contains(part)).toList();
    assertThat(lines).as("lines with \"%s\"", part).hasSize(1);
    return new ObjectMapper().readTree(lines.get(0));
  }

  @Test
  void anExecutorSaysInOneLineWhatItHasChosenAndWhy() throws IOException {
    new LocalSpark(folder).run(context -> LocalSpark.shuffled(context).count());
    JsonNode line = line("keeps map outputs on");
    assertThat(line.get("level").asText()).isEqualTo("INFO");
    assertThat(line.get("msg").asText())
        .startsWith("Executor driver on 127.0.0.1 keeps map outputs on ")
        .contains(" and reads those of others by shm, netty: pool limit 256 MiB: as set");
    JsonNode context = line.get("context");
    assertThat(context.get("executor_id").asText()).isEqualTo("driver");
    assertThat(context.get("host").asText()).isEqualTo("127.0.0.1");
    assertThat(context.get("backing").asText()).isIn("hugetlbfs", "tmpfs", "disk");
    assertThat(context.get("path").asText()).isNotEmpty();
    assertThat(context.get("pool_limit").asText()).isEqualTo("" + (256 << 20));
    assertThat(context.get("transport").asText()).isEqualTo("shm, netty");
    assertThat(context.get("reason").asText()).startsWith("pool limit 256 MiB: as set");
  }

  @Test
  void keysStandBesideTheLineAndNotInItsText() throws IOException {
    KeyedLogger logger = KeyedLogger.of(StructuredLogTest.class);
    logger.warn(
        "Closing {} of {} failed",
        LogKey.PATH.is("/tmp/run"),
        "a run",
        LogKey.SHUFFLE_ID.also(3),
        new IOException("no such disk"));
    JsonNode line = line("Closing");
    assertThat(line.get("msg").asText()).isEqualTo("Closing /tmp/run of a run failed");
    assertThat(line.get("context").get("path").asText()).isEqualTo("/tmp/run");
    assertThat(line.get("context").get("shuffle_id").asText()).isEqualTo("3");
    assertThat(line.get("exception").get("msg").asText()).isEqualTo("no such disk");
    assertThat(text.toString())
        .startsWith(
            "WARN StructuredLogTest: Closing /tmp/run of a run failed\n"
                + "java.io.IOException: no such disk\n\tat ");
  }

  @Test
  void whatTheApplicationHasPutIntoTheContextComesBack() throws IOException {
    ThreadContext.put("executor_id", "the application's");
    try {
      KeyedLogger.of(StructuredLogTest.class)
          .info("{} of {}", LogKey.EXECUTOR_ID.is("1"), LogKey.EXECUTOR_ID.is("2"));
      assertThat(ThreadContext.get("executor_id")).isEqualTo("the application's");
      assertThat(ThreadContext.getContext()).containsOnlyKeys("executor_id");
    } finally {
      ThreadContext.clearMap();
    }
    assertThat(line("1 of 2").get("context").get("executor_id").asText()).isEqualTo("2");
  }

  @Test
  void keysThatAreSaidToBeOfSparkAreOfSpark() {
    for (LogKey key : LogKey.values()) {
      assertThat(sparkHas(key.name())).as(key.name()).isEqualTo(key.ofSpark());
    }
  }

  /** An object for each key in Spark 4.0, constants of an enumeration from 4.1 on. */
  private static boolean sparkHas(String name) {
    String keys = "org.apache.spark.internal.LogKeys";
    try {
      Class.forName(keys + "$" + name + "$", false, StructuredLogTest.class.getClassLoader());
      return true;
    } catch (ClassNotFoundException e) {
      try {
        return Class.forName(keys).getField(name) != null;
      } catch (ReflectiveOperationException none) {
        return false;
      }
    }
  }
}
