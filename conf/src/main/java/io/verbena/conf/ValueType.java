package io.verbena.conf;

import java.util.List;

/** How the text of a setting becomes a value: notation, range and what to say of a wrong text. */
interface ValueType<T> {

  /** Name of the type in the reference page. */
  String name();

  /** What may be written, as a noun phrase: "a power of two from 1m to 1g". */
  String allowed();

  /** Reads a text that is trimmed and not empty, unless {@link #allowsEmpty()}. */
  Parsed<T> parse(String text);

  /** The names that may be written, each with its meaning, where the type is made of such. */
  default List<? extends DocumentedValue> values() {
    return List.of();
  }

  /** Whether an empty text has a meaning. */
  default boolean allowsEmpty() {
    return false;
  }
}
