package io.verbena.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ScaleTest {
  private static final ScaleShape TWO = new ScaleShape(2, 10, 5, 64);

  @TempDir private Path folder;

  @Test
  void aShuffleOfSeveralExecutorsIsReadWholeAndCounted() throws IOException {
    ScalePoint point = ScaleProbe.measure(folder, TWO, 1);
    assertThat(point.shape()).isEqualTo(TWO);
    // A READ for each block, and tables besides.
    assertThat(point.tableReads()).isGreaterThanOrEqualTo(2);
    assertThat(point.reads()).isGreaterThanOrEqualTo(TWO.maps() + point.tableReads());
    assertThat(point.tableBytes()).isGreaterThanOrEqualTo(16);
    assertThat(point.writeNanos()).isPositive();
    assertThat(point.readNanos()).isPositive();
    assertThat(point.reduceMicros() * 1e3).isEqualTo(point.readNanos() * TWO.maps(), within(1e-6));
    assertThat(point.firstMicros()).isPositive();
  }

  @Test
  void aLineIsFoundAgain() {
    Fit fit = Fit.of(List.of(2, 4, 16), number -> number, number -> 5 + 0.25 * number);
    assertThat(fit.fixed()).isEqualTo(5, within(1e-9));
    assertThat(fit.each()).isEqualTo(0.25, within(1e-9));
    assertThat(fit.determination()).isEqualTo(1, within(1e-9));
    assertThat(fit.of(100)).isEqualTo(30, within(1e-9));
  }

  @Test
  void roundsGiveMediansAndTheirLinesThePaper() {
    List<List<ScalePoint>> rounds = List.of(round(1), round(100), round(2));
    ScaleResult result = ScaleResult.of(Machine.here(), rounds);
    assertThat(result.sizes()).extracting(ScalePoint::reduceMicros).containsExactly(200.0, 600.0);
    assertThat(result.executors()).extracting(ScalePoint::reduceMicros).containsExactly(40.0, 80.0);
    assertThat(result.perMap().each()).isEqualTo(2, within(1e-9));
    assertThat(result.perExecutor().each()).isEqualTo(20, within(1e-9));
    ByteArrayOutputStream printed = new ByteArrayOutputStream();
    new ScaleTable(new PrintStream(printed, true, StandardCharsets.UTF_8)).print(result);
    assertThat(printed.toString(StandardCharsets.UTF_8))
        .contains("| 4 executors, 40 by 1000 ")
        .contains("location tables          17.2 MiB an executor, 168 GiB in all")
        .contains("READs of a reduce task   150,000, 20,000 of them of tables")
        .contains("time of a reduce task    200 ms beside its bytes");
  }

  /** A microsecond for each map, ten for each executor; READs and bytes in proportion. */
  private static List<ScalePoint> round(double times) {
    return List.of(
        point(new ScaleShape(1, 100, 100, 64), times * 100),
        point(new ScaleShape(1, 300, 300, 64), times * 300),
        point(new ScaleShape(2, 10, 1_000, 64), times * 20),
        point(new ScaleShape(4, 10, 1_000, 64), times * 40));
  }

  private static ScalePoint point(ScaleShape shape, double micros) {
    return new ScalePoint(
        shape,
        100,
        micros * 1e3 / shape.maps(),
        micros,
        micros + 7,
        18,
        15 * shape.executors(),
        2 * shape.executors());
  }

  @ParameterizedTest
  @CsvSource({
    "--sizes=1, from 2 to 10000",
    "--executors=65, from 2 to 64",
    "--rounds=0, from 1 to 1000",
    "--block=12, a multiple of 8"
  })
  void valueOutOfRangeEndsWithWhatIsAllowedAndCode64(String option, String allowed) {
    StringWriter errors = new StringWriter();
    int code = Bench.commandLine().setErr(new PrintWriter(errors)).execute("scale", option);
    assertThat(code).isEqualTo(64);
    assertThat(errors.toString()).contains(option + ": " + allowed).contains("Usage: bench scale");
  }
}
