package io.verbena.conf;

import java.util.function.Function;

/** Outcome of reading one setting: its value, or what is wrong with the text. */
sealed interface Parsed<T> {

  /** An allowed value. */
  record Value<T>(T value) implements Parsed<T> {}

  /**
   * A refused text.
   *
   * @param fault what is wrong, to follow {@code key=value: }
   * @param remedy what to do instead, as an imperative
   */
  record Fault<T>(String fault, String remedy) implements Parsed<T> {
    <U> Parsed<U> as() {
      return new Fault<>(fault, remedy);
    }
  }

  static <T> Parsed<T> value(T value) {
    return new Value<>(value);
  }

  static <T> Parsed<T> fault(String fault, String remedy) {
    return new Fault<>(fault, remedy);
  }

  default <U> Parsed<U> map(Function<T, U> function) {
    return then(value -> value(function.apply(value)));
  }

  default <U> Parsed<U> then(Function<T, Parsed<U>> function) {
    return this instanceof Fault<T> refused
        ? refused.as()
        : function.apply(((Value<T>) this).value());
  }
}
