package io.verbena.it.demo;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbena.it.cluster.ProjectJars;
import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

/** The demo around a stub of its application, both times on Spark's own shuffle. */
final class DemoIT {
  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  private int demo(String... args) {
    Demo demo =
        new Demo(
            ProjectJars::testApplications,
            StubApp.class.getName(),
            app ->
                app.quickStart()
                    .conf("spark.shuffle.manager", "sort")
                    .conf("spark.stub.run", "verbena"));
    return new CommandLine(demo)
        .setOut(new PrintWriter(out, true))
        .setErr(new PrintWriter(err, true))
        .execute(args);
  }

  @Test
  void resultReportVerdictAndTimesArePrintedInThisOrder() {
    int code = demo("--input", "equal", "--memory", "512m");
    assertThat(err.toString()).contains("stage 1 done in");
    assertThat(out.toString())
        .containsSubsequence(
            "stub counted 3 groups",
            "What the shuffle did",
            "read from peers by shm",
            "2.0 KiB",
            "verbs->shm: no RDMA device (executor 0: 2)",
            "Results: equal, 1 bytes byte for byte",
            "Verbena",
            "Spark's own shuffle");
    assertThat(code).isZero();
  }

  @Test
  void differentResultsEndWithExitCode1() {
    assertThat(demo("--input", "different", "--memory", "512m")).isEqualTo(1);
    assertThat(out.toString()).contains("Results: DIFFERENT from byte 1 on");
  }

  @Test
  void exitCodeAndMessageOfBadInputPassThrough() {
    assertThat(demo("--input", "bad", "--memory", "512m")).isEqualTo(2);
    assertThat(err.toString())
        .contains("error: frame 3, line 17: expected a number")
        .contains("The application ended with exit code 2");
    assertThat(err.toString()).doesNotContain("INFO").doesNotContain("WARN");
    assertThat(out.toString()).isEmpty();
  }
}
