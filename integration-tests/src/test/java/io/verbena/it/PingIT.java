package io.verbena.it;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.verbena.it.cluster.Await;
import io.verbena.it.cluster.ProjectJars;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code serve} and {@code ping} of the one jar, as processes on this machine. */
final class PingIT {
  private static final Pattern LISTENING = Pattern.compile("listening on (127\\.0\\.0\\.1:\\d+);");
  private static final Duration LIMIT = Duration.ofMinutes(1);

  @TempDir private Path folder;
  private final List<Process> started = new ArrayList<>();

  private record Running(Process process, Path out) {
    String text() {
      try {
        return Files.readString(out);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }

    int code() throws InterruptedException {
      Await.until("the end of " + process.info().commandLine(), LIMIT, () -> !process.isAlive());
      return process.exitValue();
    }
  }

  private Running start(String secret, String... arguments) throws IOException {
    List<String> line = new ArrayList<>();
    line.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    line.addAll(List.of("-jar", ProjectJars.verbena().toString()));
    line.addAll(List.of(arguments));
    Path out = Files.createTempFile(folder, "out", ".txt");
    ProcessBuilder builder =
        new ProcessBuilder(line).redirectErrorStream(true).redirectOutput(out.toFile());
    builder.environment().keySet().removeIf(name -> name.startsWith("SPARK_"));
    builder.environment().put("VERBENA_PING_SECRET", secret);
    Process process = builder.start();
    started.add(process);
    return new Running(process, out);
  }

  private static String address(Running serve) throws InterruptedException {
    Await.until("serve's port", LIMIT, () -> LISTENING.matcher(serve.text()).find());
    Matcher found = LISTENING.matcher(serve.text());
    assertThat(found.find()).isTrue();
    return found.group(1);
  }

  @AfterEach
  void endAll() throws InterruptedException {
    for (Process each : started) {
      each.destroyForcibly().waitFor(10, TimeUnit.SECONDS);
    }
  }

  @Test
  void twoProcessesReadEachOtherBySharedMemory() throws Exception {
    Running serve = start("known", "serve", "--port", "0");
    String address = address(serve);

    Running ping = start("known", "ping", address, "--json", "--seconds", "0.2");
    assertThat(ping.code()).as(ping.text()).isZero();
    JsonNode report = new ObjectMapper().readTree(ping.text());
    assertThat(report.path("sameMachine").asBoolean()).isTrue();
    assertThat(report.path("job").path("transport").asText()).isEqualTo("shm");
    assertThat(report.path("job").path("checkedBytes").asLong()).isEqualTo(30L << 20);
    JsonNode verbs = report.path("transports").path(1);
    assertThat(verbs.path("transport").asText()).isEqualTo("verbs");
    assertThat(verbs.path("works").asBoolean() || !verbs.path("reason").asText().isEmpty())
        .isTrue();

    Running stranger = start("guessed", "ping", address);
    assertThat(stranger.code()).isEqualTo(2);
    assertThat(stranger.text())
        .startsWith("the secrets of the two sides differ\n  mend: give both the same one: ");

    // It says so when the other side may have ended already.
    Await.until("a word on the first ping", LIMIT, () -> serve.text().contains(": done"));
    Await.until(
        "a word on the second ping",
        LIMIT,
        () -> serve.text().contains(": refused: it does not know the secret"));
    serve.process().destroy();
    assertThat(serve.code()).isEqualTo(143);
    Running late = start("known", "ping", address);
    assertThat(late.code()).isEqualTo(2);
    assertThat(late.text()).startsWith("nothing listens at " + address);
  }

  @Test
  void serveThatIsKilledMeanwhileIsSaidToHaveGone() throws Exception {
    Running serve = start("known", "serve", "--port", "0");
    String address = address(serve);
    Running ping = start("known", "ping", address, "--seconds", "20");
    Await.until("the connection", LIMIT, () -> isConnected(ping));

    serve.process().destroyForcibly();

    assertThat(ping.code()).as(ping.text()).isEqualTo(2);
    assertThat(ping.text()).containsAnyOf("ended the connection", "is lost").contains("mend: ");
  }

  /** Whether it has the thread that ends late connections: it comes with the introduction. */
  private static boolean isConnected(Running ping) {
    Path threads = Path.of("/proc", Long.toString(ping.process().pid()), "task");
    try (var tasks = Files.list(threads)) {
      return tasks.anyMatch(
          task -> {
            try {
              return Files.readString(task.resolve("comm")).startsWith("verbena-ping-de");
            } catch (IOException e) {
              return false;
            }
          });
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
