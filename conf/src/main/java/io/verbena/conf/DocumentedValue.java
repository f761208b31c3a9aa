package io.verbena.conf;

import java.util.Locale;

/** A constant that a user may name in a setting. */
interface DocumentedValue {

  /** The Java name of the constant. */
  String name();

  /** One clause for the reference page, without a full stop. */
  String doc();

  /** How a user writes it. */
  default String spelling() {
    return name().toLowerCase(Locale.ROOT);
  }
}
