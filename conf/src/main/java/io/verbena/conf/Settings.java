package io.verbena.conf;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Values under way from text to {@link RdmaConf}: each option is read by itself, every fault is
 * noted, and an option with a fault has no value. Used by one thread.
 */
final class Settings {
  private final Map<ConfOption<?>, Object> values = new HashMap<>();
  private final Map<ConfOption<?>, String> given = new HashMap<>();
  private final List<Problem> problems = new ArrayList<>();

  Settings(Map<String, String> sparkConf) {
    for (ConfOption<?> option : RdmaOptions.all()) {
      read(option, sparkConf.get(option.key()));
    }
    refuseUnknownKeys(sparkConf);
  }

  private <T> void read(ConfOption<T> option, String text) {
    if (text == null) {
      values.put(option, option.defaultValue());
      return;
    }
    given.put(option, text);
    Parsed<T> parsed = option.parse(text);
    if (parsed instanceof Parsed.Fault<T> refused) {
      problems.add(option.problem(text, refused.fault(), refused.remedy()));
    } else if (parsed instanceof Parsed.Value<T> allowed) {
      values.put(option, allowed.value());
    }
  }

  private void refuseUnknownKeys(Map<String, String> sparkConf) {
    List<String> known = RdmaOptions.all().stream().map(ConfOption::key).toList();
    // Sorted, so that the same configuration gives the same message.
    new TreeMap<>(sparkConf)
        .forEach(
            (key, value) -> {
              if (key.startsWith(RdmaOptions.PREFIX) && !known.contains(key)) {
                problems.add(unknownKey(key, value, known));
              }
            });
  }

  private static Problem unknownKey(String key, String value, List<String> known) {
    List<String> names =
        known.stream().map(name -> name.substring(RdmaOptions.PREFIX.length())).toList();
    String nearest = Nearest.of(key.substring(RdmaOptions.PREFIX.length()), names);
    return new Problem(
        key,
        value,
        "unknown key",
        "",
        "the nearest known key is " + RdmaOptions.PREFIX + nearest + "; rename it or remove it");
  }

  /** Whether the option has a value, given or default, that passed its own checks. */
  boolean has(ConfOption<?> option) {
    return values.containsKey(option);
  }

  /** The value of an option that {@link #has} one. */
  @SuppressWarnings("unchecked") // put under the same option in read()
  <T> T get(ConfOption<T> option) {
    return (T) values.get(option);
  }

  /** Notes that the value of one option does not go with that of another. */
  void conflict(ConfOption<?> option, String fault, String remedy) {
    String text = given.get(option);
    String shown = text == null ? option.defaultText() + " (default)" : text;
    problems.add(option.problem(shown, fault, remedy));
  }

  List<Problem> problems() {
    return problems;
  }

  /** What the user set, in the order of the options. */
  Map<String, String> given() {
    Map<String, String> result = new LinkedHashMap<>();
    for (ConfOption<?> option : RdmaOptions.all()) {
      if (given.containsKey(option)) {
        result.put(option.key(), given.get(option));
      }
    }
    return result;
  }
}
