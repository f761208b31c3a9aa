package io.verbena.conf;

import java.time.Duration;
import java.time.temporal.ChronoUnit;

/**
 * A duration within a range.
 *
 * @param min smallest allowed value
 * @param max largest allowed value
 */
record TimeType(Duration min, Duration max) implements ValueType<Duration> {

  @Override
  public String name() {
    return "time (ms)";
  }

  @Override
  public String allowed() {
    return "a time from " + format(min) + " to " + format(max);
  }

  @Override
  public Parsed<Duration> parse(String text) {
    return Quantity.TIME
        .parse(text)
        .map(micros -> Duration.of(micros, ChronoUnit.MICROS))
        .then(time -> check(text, time));
  }

  private Parsed<Duration> check(String text, Duration time) {
    if (time.compareTo(min) < 0) {
      String hint = Quantity.TIME.missingUnitHint(text);
      return Parsed.fault("too short", "use " + format(min) + " or more" + hint);
    }
    return time.compareTo(max) > 0
        ? Parsed.fault("too long", "use " + format(max) + " or less")
        : Parsed.value(time);
  }

  static String format(Duration time) {
    return Quantity.TIME.format(time.toNanos() / 1000);
  }
}
