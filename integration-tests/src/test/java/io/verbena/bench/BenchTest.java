package io.verbena.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class BenchTest {
  private final StringWriter errors = new StringWriter();

  private int run(String... args) {
    return Bench.commandLine().setErr(new PrintWriter(errors)).execute(args);
  }

  @ParameterizedTest
  @ValueSource(strings = {"fetch", "job", "heap", "micro"})
  void unknownOptionOfACommandEndsWithUsageAndCode64(String command) {
    assertThat(run(command, "--nope")).isEqualTo(64);
    assertThat(errors.toString()).contains("'--nope'").contains("Usage: bench " + command);
  }

  @Test
  void noCommandEndsWithUsageAndCode64() {
    assertThat(run()).isEqualTo(64);
    assertThat(errors.toString()).contains("say what to measure").contains("Usage: bench");
  }

  @Test
  void wrongValueEndsWithTheAllowedOnesAndCode64() {
    assertThat(run("fetch", "--sides", "carrier-pigeon")).isEqualTo(64);
    assertThat(errors.toString()).contains("carrier-pigeon").contains("NETTY");
  }
}
