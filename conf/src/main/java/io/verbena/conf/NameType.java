package io.verbena.conf;

import java.util.List;

/** One constant of an enum, spelled in either case. */
record NameType<E extends Enum<E> & DocumentedValue>(Class<E> names) implements ValueType<E> {

  @Override
  public String name() {
    return "name";
  }

  @Override
  public String allowed() {
    return "one of " + String.join(", ", spellings());
  }

  @Override
  public Parsed<E> parse(String text) {
    for (E candidate : values()) {
      if (candidate.spelling().equalsIgnoreCase(text)) {
        return Parsed.value(candidate);
      }
    }
    return Parsed.fault(
        "unknown name \"" + text + "\"", "the nearest is " + Nearest.of(text, spellings()));
  }

  @Override
  public List<E> values() {
    return List.of(names.getEnumConstants());
  }

  List<String> spellings() {
    return values().stream().map(DocumentedValue::spelling).toList();
  }

  /** All names in their declared order, as a default. */
  String all() {
    return String.join(",", spellings());
  }
}
