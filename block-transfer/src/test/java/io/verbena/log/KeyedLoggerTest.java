package io.verbena.log;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import org.junit.jupiter.api.Test;

/** Text of lines with keys, in a log that knows no keys. */
class KeyedLoggerTest {
  private static String logged(Runnable action) {
    try (CapturedLog log = new CapturedLog()) {
      action.run();
      return log.text();
    }
  }

  @Test
  void textIsThatOfTheValuesAndHasNothingOfTheKeys() {
    KeyedLogger logger = KeyedLogger.of(KeyedLoggerTest.class);
    String line =
        logged(
            () ->
                logger.warn(
                    "Executor {} of {}",
                    LogKey.EXECUTOR_ID.is(7),
                    LogKey.SHUFFLE_ID.also(3),
                    "an application"));
    assertThat(line.strip())
        .isEqualTo(
            "[main] WARN " + KeyedLoggerTest.class.getName() + " - Executor 7 of an application");
  }

  @Test
  void theLastArgumentMayBeAnExceptionWhoseTraceFollows() {
    KeyedLogger logger = KeyedLogger.of(KeyedLoggerTest.class);
    String lines =
        logged(
            () ->
                logger.error("Closing {}", LogKey.PATH.is("/f"), new IOException("disk is gone")));
    assertThat(lines.lines())
        .first()
        .asString()
        .endsWith("ERROR " + KeyedLoggerTest.class.getName() + " - Closing /f");
    assertThat(lines).contains("java.io.IOException: disk is gone").contains("\tat ");
  }
}
