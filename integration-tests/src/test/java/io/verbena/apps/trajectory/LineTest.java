package io.verbena.apps.trajectory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LineTest {
  @Test
  void numbersAreReadAsJavaReadsThem() throws Exception {
    Random random = new Random(11);
    for (int i = 0; i < 20_000; i++) {
      double value = (random.nextDouble() - 0.5) * Math.pow(10, random.nextInt(12) - 4);
      String format = new String[] {"%.6f", "%.17f", "%e", "%.3g", "%s"}[i % 5];
      String text = String.format(Locale.ROOT, format, value);
      assertThat(line(text).number(0, "x")).as(text).isEqualTo(Double.parseDouble(text));
    }
    assertThat(line("5").number(0, "x")).isEqualTo(5);
    assertThat(line("-.5").number(0, "x")).isEqualTo(-0.5);
    assertThat(line("+1e3").number(0, "x")).isEqualTo(1000);
  }

  @ParameterizedTest
  @ValueSource(strings = {"abc", "nan", "-nan", "inf", "1e999", "1.2.3", "-", ".", "1f", "0x1p3"})
  void whatIsNoFiniteNumberIsRefused(String text) {
    assertThatThrownBy(() -> line(text).number(0, "x"))
        .hasMessage("expected a number as x, found \"" + text + "\"");
  }

  @ParameterizedTest
  @ValueSource(strings = {"1.0", "-", "9999999999999999999", "1e3", "--1"})
  void whatIsNoWholeNumberIsRefused(String text) {
    assertThatThrownBy(() -> line(text).integer(0, "id"))
        .hasMessage("expected a whole number as id, found \"" + text + "\"");
  }

  @Test
  void blanksOfAnyKindSeparateFields() throws Exception {
    Line line = line("  7\t-3   x ");
    assertThat(line.fields()).isEqualTo(3);
    assertThat(line.integer(0, "a")).isEqualTo(7);
    assertThat(line.integer(1, "b")).isEqualTo(-3);
    assertThat(line.fieldsFrom(1)).containsExactly("-3", "x");
  }

  @Test
  void messagesShowPrintableAndShortText() {
    assertThat(line("a\u0001b").toString()).isEqualTo("\"a?b\"");
    assertThat(line("x".repeat(1000)).toString()).isEqualTo("\"" + "x".repeat(60) + "...\"");
  }

  private static Line line(String text) {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    Line line = new Line();
    line.reset(bytes, bytes.length);
    return line;
  }
}
