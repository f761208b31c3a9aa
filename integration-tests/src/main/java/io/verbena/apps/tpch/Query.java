package io.verbena.apps.tpch;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.IntStream;

/**
 * One of the 22 queries.
 *
 * @param number 1 to 22
 */
record Query(int number) {
  static final int COUNT = 22;

  private static final BigDecimal FRACTION = new BigDecimal("0.0001");
  // Digits after the point for any scale that somebody has room for.
  private static final int FRACTION_SCALE = 12;

  Query {
    if (number < 1 || number > COUNT) {
      throw new IllegalArgumentException(
          "query %d does not exist: they are numbered 1 to %d".formatted(number, COUNT));
    }
  }

  static List<Query> all() {
    return IntStream.rangeClosed(1, COUNT).mapToObj(Query::new).toList();
  }

  /** {@code q01} to {@code q22}. */
  String title() {
    return "q%02d".formatted(number);
  }

  /** Its text for data of a scale, which the threshold of query 11 depends on. */
  String text(double scale) {
    String resource = title() + ".sql";
    try (InputStream stream = Query.class.getResourceAsStream(resource)) {
      if (stream == null) {
        throw new IllegalStateException("no resource " + resource + " beside " + Query.class);
      }
      String fraction =
          FRACTION
              .divide(BigDecimal.valueOf(scale), FRACTION_SCALE, RoundingMode.HALF_EVEN)
              .stripTrailingZeros()
              .toPlainString();
      return new String(stream.readAllBytes(), StandardCharsets.UTF_8)
          .replace("${fraction}", fraction);
    } catch (IOException e) {
      throw new UncheckedIOException("cannot read resource " + resource, e);
    }
  }
}
