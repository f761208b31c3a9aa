package io.verbena.it.matrix;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;

final class MatrixTest {
  @Test
  void tableHasARowForEachVersionAndWayOfLoading() {
    Target target = new Target("3.5.8", "2.12", 17);
    Row right = new Row(target, Loading.CLASS_PATH, 81, List.of(), 61.4, Set.of("shm"), 0);
    Row wrong = new Row(target, Loading.JARS, 80, List.of("a: b"), 5.6, Set.of(), 2);
    assertThat(MatrixTable.draw(List.of(right, wrong)))
        .isEqualTo(
            """
            | Spark | Scala | Java | loaded by      | right | problems | seconds | read by | falls |
            | ----- | ----- | ---- | -------------- | ----- | -------- | ------- | ------- | ----- |
            | 3.5.8 | 2.12  | 17   | extraClassPath | 81    | 0        | 61      | shm     | 0     |
            | 3.5.8 | 2.12  | 17   | --jars         | 80    | 1        | 6       | nothing | 2     |\
            """);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          --spark 3.4.0                     | no such combination; there are: Spark 3.5.8, Scala 2.12
          --spark 3.5.8 --java 25           | no such combination; there are: Spark 3.5.8, Scala 2.12
          --short --only large              | --only takes its pick of the long form
          --conf spark.shuffle.manager=sort | --conf spark.shuffle.manager: the matrix sets it
          """)
  void wrongUseIsNamedAndEndsWithCode64(String arguments, String message) {
    StringWriter errors = new StringWriter();
    CommandLine line = Matrix.commandLine().setErr(new PrintWriter(errors));
    assertThat(line.execute(arguments.split(" "))).isEqualTo(64);
    assertThat(errors.toString()).startsWith(message);
  }

  @Test
  void javaHomeOfAnotherReleaseIsRefused() {
    StringWriter errors = new StringWriter();
    CommandLine line = Matrix.commandLine().setErr(new PrintWriter(errors));
    String home = System.getProperty("java.home");
    assertThat(line.execute("--java", "25", "--java-home", "25=" + home)).isEqualTo(64);
    assertThat(errors.toString())
        .startsWith(
            "--java-home 25=" + home + ": it is Java " + System.getProperty("java.version"));
  }
}
