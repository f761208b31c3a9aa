package io.verbena.it.demo;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class DemoTest {
  @ParameterizedTest
  @CsvSource({
    "--bogus, Unknown option: '--bogus'",
    "--scale=0, --scale=0: must be at least 1",
    "--scale=many, Invalid value for option '--scale'",
    "--executors=0, --executors=0: must be at least 1",
    "--cores=-1, --cores=-1: must be at least 1",
    "--memory=lots, --memory=lots: must be a size in Spark's notation",
    "--conf=spark.shuffle.manager=sort, --conf spark.shuffle.manager: the demo sets it",
    "--conf=spark.x, --conf",
    "--soft-roce --cores=2, --cores: not with --soft-roce",
  })
  void wrongOptionsEndWithTheReasonUsageAndExitCode64(String options, String message) {
    StringWriter err = new StringWriter();
    int code = Demo.commandLine().setErr(new PrintWriter(err)).execute(options.split(" ", -1));
    assertThat(err.toString()).contains(message).contains("Usage: bin/demo");
    assertThat(code).isEqualTo(64);
  }
}
