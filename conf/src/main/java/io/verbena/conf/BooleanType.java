package io.verbena.conf;

import java.util.Locale;

/** {@code true} or {@code false}, in either case. */
record BooleanType() implements ValueType<Boolean> {

  @Override
  public String name() {
    return "boolean";
  }

  @Override
  public String allowed() {
    return "true or false";
  }

  @Override
  public Parsed<Boolean> parse(String text) {
    return switch (text.toLowerCase(Locale.ROOT)) {
      case "true" -> Parsed.value(true);
      case "false" -> Parsed.value(false);
      default -> Parsed.fault("not a boolean", "write true or false");
    };
  }
}
