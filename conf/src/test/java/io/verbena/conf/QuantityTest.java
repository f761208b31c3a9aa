package io.verbena.conf;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Locale;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class QuantityTest {

  private static final String SIZE_NOTATION =
      "write a whole number and a unit (b, k, m, g, t, p), such as 64m";
  private static final String TIME_NOTATION =
      "write a whole number and a unit (us, ms, s, min, h, d), such as 30s";

  @ParameterizedTest
  @CsvSource({
    "0, 0",
    "17, 17",
    "17b, 17",
    "3k, 3072",
    "3kb, 3072",
    "3K, 3072",
    "256m, 268435456",
    "256mb, 268435456",
    "256MB, 268435456",
    "1g, 1073741824",
    "1gb, 1073741824",
    "1t, 1099511627776",
    "1tb, 1099511627776",
    "1p, 1125899906842624",
    "1pb, 1125899906842624",
    "0012, 12",
    "8191p, 9222246136947933184",
    "9223372036854775807, 9223372036854775807"
  })
  void sizesAreReadAsSparkReadsThem(String text, long bytes) {
    assertThat(Quantity.SIZE.parse(text)).isEqualTo(Parsed.value(bytes));
  }

  @ParameterizedTest
  @CsvSource({
    "0, 0",
    "250, 250000",
    "7us, 7",
    "7ms, 7000",
    "7s, 7000000",
    "7S, 7000000",
    "7m, 420000000",
    "7min, 420000000",
    "7h, 25200000000",
    "7d, 604800000000"
  })
  void timesAreReadAsSparkReadsThem(String text, long micros) {
    assertThat(Quantity.TIME.parse(text)).isEqualTo(Parsed.value(micros));
  }

  @ParameterizedTest
  @CsvSource({
    "-1, a size cannot be negative",
    "-1m, a size cannot be negative",
    "-1.5m, a size cannot be negative",
    "1.5m, a size cannot have a fraction",
    "1.0, a size cannot have a fraction",
    ".5g, a size cannot have a fraction",
    "lots, not a size",
    "'1 m', not a size",
    "+1m, not a size",
    "0x10, not a size",
    "1e6k, not a size",
    "1_000, not a size",
    "'1,5m', not a size",
    "1., not a size",
    "m, not a size",
    "-, not a size",
    "٣k, not a size",
    "1q, 'unknown unit \"q\" of a size'",
    "1kib, 'unknown unit \"kib\" of a size'",
    "1s, 'unknown unit \"s\" of a size'",
    "1bb, 'unknown unit \"bb\" of a size'",
    "1e6, not a size"
  })
  void wrongSizesAreNamedAndTheNotationIsShown(String text, String fault) {
    assertThat(Quantity.SIZE.parse(text)).isEqualTo(Parsed.fault(fault, SIZE_NOTATION));
  }

  @ParameterizedTest
  @CsvSource({
    "-1s, a time cannot be negative",
    "0.5s, a time cannot have a fraction",
    "soon, not a time",
    "'1 s', not a time",
    "1:30, not a time",
    "PT1S, not a time",
    "1k, 'unknown unit \"k\" of a time'",
    "1ns, 'unknown unit \"ns\" of a time'",
    "1sec, 'unknown unit \"sec\" of a time'"
  })
  void wrongTimesAreNamedAndTheNotationIsShown(String text, String fault) {
    assertThat(Quantity.TIME.parse(text)).isEqualTo(Parsed.fault(fault, TIME_NOTATION));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "9223372036854775808",
        "8192p",
        "9007199254740992k",
        "18446744073709551616k",
        "99999999999999999999999999999999"
      })
  void sizesThatDoNotFitAreRefusedAndNeverWrapAround(String text) {
    assertThat(Quantity.SIZE.parse(text))
        .isEqualTo(Parsed.fault("a larger number than can be counted", "use a smaller size"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"9223372036854775807", "106751992d", "9223372036854775808us"})
  void timesThatDoNotFitAreRefusedAndNeverWrapAround(String text) {
    assertThat(Quantity.TIME.parse(text))
        .isEqualTo(Parsed.fault("a larger number than can be counted", "use a smaller time"));
  }

  @ParameterizedTest
  @CsvSource({
    "0, 0b",
    "1, 1b",
    "1023, 1023b",
    "1024, 1k",
    "1536, 1536b",
    "65536, 64k",
    "268435456, 256m",
    "1073741824, 1g",
    "1125899906842624, 1p"
  })
  void sizesAreWrittenWithTheLargestUnitThatIsExact(long bytes, String text) {
    assertThat(Quantity.SIZE.format(bytes)).isEqualTo(text);
  }

  @ParameterizedTest
  @CsvSource({
    "0, 0ms",
    "1, 1us",
    "1500, 1500us",
    "1000000, 1s",
    "60000000, 1min",
    "90000000, 90s",
    "3600000000, 1h",
    "86400000000, 1d"
  })
  void timesAreWrittenWithTheLargestUnitThatIsExact(long micros, String text) {
    assertThat(Quantity.TIME.format(micros)).isEqualTo(text);
  }

  @Test
  void whatIsWrittenIsReadAsTheSameCount() {
    long seed = 20261201;
    Random random = new Random(seed);
    for (int i = 0; i < 10_000; i++) {
      long count = (random.nextLong() >>> 1) >>> random.nextInt(63);
      long shifted = count >>> 10 << random.nextInt(11);
      for (Quantity quantity : new Quantity[] {Quantity.SIZE, Quantity.TIME}) {
        String text = quantity.format(shifted);
        assertThat(quantity.parse(text))
            .as("seed %s, round %s, %s", seed, i, text)
            .isEqualTo(Parsed.value(shifted));
      }
    }
  }

  @Test
  void theReadingOfUnitsDoesNotDependOnTheLocale() {
    Locale before = Locale.getDefault();
    try {
      // In Turkish the lower case of I is not i.
      Locale.setDefault(Locale.forLanguageTag("tr"));
      assertThat(Quantity.TIME.parse("2MIN")).isEqualTo(Parsed.value(120_000_000L));
      assertThat(RdmaConf.read(Confs.conf(RdmaOptions.POOL_BACKINGS, "DISK")).poolBackings())
          .containsExactly(BackingKind.DISK);
    } finally {
      Locale.setDefault(before);
    }
  }
}
