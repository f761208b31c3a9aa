package io.verbena.it.softroce;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.verbena.it.ScriptRun;
import io.verbena.it.cluster.ProjectJars;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests of the {@code verbs} transport that need an RDMA device, in virtual machines. */
final class VerbsOnSoftRoceIT {
  private static final Path MODULE = Path.of("../block-transfer/target").toAbsolutePath();
  private static final Pattern NEEDED =
      Pattern.compile("(junit-|opentest4j|apiguardian|assertj|byte-buddy|slf4j-api).*\\.jar");

  @TempDir private Path folder;

  @Test
  void contractAndFaultsHold() throws Exception {
    ScriptRun ended = run("rdma", 33, Duration.ofMinutes(20), servedAndPinged());

    assertThat(ended.out()).contains("ping ended with 0").contains("the secrets of the two sides");
    JsonNode report =
        ended
            .out()
            .lines()
            .filter(line -> line.startsWith("{") && line.contains("\"job\""))
            .map(VerbsOnSoftRoceIT::json)
            .findFirst()
            .orElseThrow();
    assertThat(report.path("job").path("transport").asText()).isEqualTo("verbs");
    assertThat(report.path("job").path("checkedBytes").asLong()).isEqualTo(30L << 20);
    JsonNode verbs = report.path("transports").path(0);
    assertThat(verbs.path("firstSetupMicros").asDouble()).isPositive();
    assertThat(verbs.path("sizes")).hasSize(2).allMatch(size -> size.path("reads").asLong() > 0);
  }

  private static JsonNode json(String line) {
    try {
      return new ObjectMapper().readTree(line);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Test
  void aDeviceMayBeRemovedWhileItIsReadThrough() throws Exception {
    run("rdma-removal", 1, Duration.ofMinutes(5), "");
  }

  private ScriptRun run(String tag, int least, Duration limit, String before) throws Exception {
    List<String> tests = new ArrayList<>(SoftRoce.java());
    tests.addAll(
        List.of("-cp", classPath(), TaggedTests.class.getName(), tag, Integer.toString(least)));

    ScriptRun ended =
        SoftRoce.boot(
            folder,
            limit,
            "run",
            "--memory",
            "2g",
            "--",
            "sh",
            "-c",
            before + "exec " + String.join(" ", tests));

    assertThat(ended.code()).as(ended.out() + ended.err()).isZero();
    assertThat(ended.out()).contains(" tests succeeded");
    return ended;
  }

  /** Both sides on the machine's own address, with a secret; before a device is removed. */
  private static String servedAndPinged() {
    String verbena =
        String.join(" ", SoftRoce.java()) + " -jar " + ProjectJars.verbena().toAbsolutePath() + " ";
    return """
    export VERBENA_PING_SECRET=known
    %1$s serve --bind 10.99.0.1 >/tmp/serve.txt 2>&1 & server=$!
    for i in $(seq 60); do grep -q '^now, ' /tmp/serve.txt && break; sleep 1; done
    cat /tmp/serve.txt
    %1$s ping 10.99.0.1 --json --sizes 64,64k --timeout 30 --conf spark.shuffle.rdma.transports=verbs
    echo "ping ended with $?"
    VERBENA_PING_SECRET=other %1$s ping 10.99.0.1 --json --timeout 30
    kill $server; wait $server
    """
        .formatted(verbena);
  }

  private static String classPath() {
    List<String> entries = new ArrayList<>();
    entries.add(MODULE.resolve("classes").normalize().toString());
    entries.add(MODULE.resolve("test-classes").normalize().toString());
    entries.add(Path.of("target/test-classes").toAbsolutePath().toString());
    Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator, -1))
        .filter(entry -> NEEDED.matcher(new File(entry).getName()).matches())
        .forEach(entries::add);
    return String.join(File.pathSeparator, entries);
  }
}
