package io.verbena.conf;

import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Builds configurations and takes the messages of refused ones apart. */
final class Confs {

  private Confs() {}

  /** The lines of the message, one per problem, without the heading. */
  static List<String> problemsOf(Map<String, String> sparkConf) {
    List<String> lines = messageOf(sparkConf).lines().toList();
    return lines.stream().skip(1).map(String::strip).toList();
  }

  /** The only problem of a configuration that sets one key. */
  static String problemOf(ConfOption<?> option, String value) {
    List<String> problems = problemsOf(Map.of(option.key(), value));
    if (problems.size() != 1) {
      throw new AssertionError("expected one problem, got " + problems);
    }
    return problems.get(0);
  }

  static String messageOf(Map<String, String> sparkConf) {
    InvalidConfException refused =
        catchThrowableOfType(InvalidConfException.class, () -> RdmaConf.read(sparkConf));
    if (refused == null) {
      throw new AssertionError("not refused: " + sparkConf);
    }
    return refused.getMessage();
  }

  /** A configuration of pairs of an option's key or any other key and its value. */
  static RdmaConf read(Object... keysAndValues) {
    return RdmaConf.read(conf(keysAndValues));
  }

  static Map<String, String> conf(Object... keysAndValues) {
    if (keysAndValues.length % 2 != 0) {
      throw new AssertionError("a value is missing: " + Arrays.toString(keysAndValues));
    }
    Map<String, String> result = new HashMap<>();
    for (int i = 0; i < keysAndValues.length; i += 2) {
      result.put(keysAndValues[i].toString(), keysAndValues[i + 1].toString());
    }
    return result;
  }
}
