package io.verbena.it.suites;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Reads the list of known failures: entries of {@code key: value}, apart by empty lines. */
final class ExpectedFailures {
  private static final String BOTH = "Verbena and Spark";
  private static final Set<String> NEEDED = Set.of("suite", "case", "with", "reason");
  private static final Set<String> ALLOWED = Set.of("suite", "case", "with", "on", "reason");

  private final String source;
  private final Set<String> suites;
  private final List<ExpectedFailure> entries = new ArrayList<>();
  private final Set<String> seen = new HashSet<>();

  private ExpectedFailures(String source, Set<String> suites) {
    this.source = source;
    this.suites = suites;
  }

  /**
   * Reads a file.
   *
   * @param suites names of suites that there are
   * @throws IOException when it cannot be read
   * @throws IllegalArgumentException when it is not as it should be; with the line
   */
  static List<ExpectedFailure> read(Path file, Set<String> suites) throws IOException {
    return parse(file.toString(), Files.readAllLines(file), suites);
  }

  /** As {@link #read}, for lines of a source that errors name. */
  static List<ExpectedFailure> parse(String source, List<String> lines, Set<String> suites) {
    ExpectedFailures parser = new ExpectedFailures(source, suites);
    Map<String, String> fields = new LinkedHashMap<>();
    int number = 0;
    for (String line : lines) {
      number++;
      if (line.isBlank()) {
        parser.endEntry(fields, number);
      } else if (!line.startsWith("#")) {
        parser.addField(fields, line, number);
      }
    }
    parser.endEntry(fields, number);
    return List.copyOf(parser.entries);
  }

  private void addField(Map<String, String> fields, String line, int number) {
    int colon = line.indexOf(':');
    String key = colon < 0 ? line : line.substring(0, colon);
    String value = colon < 0 ? "" : line.substring(colon + 1).strip();
    if (!ALLOWED.contains(key) || value.isEmpty()) {
      throw wrong(
          number, "not KEY: VALUE with a key of suite, case, with, on, reason: \"" + line + "\"");
    }
    if (fields.put(key, value) != null) {
      throw wrong(number, "a second \"" + key + "\" in one entry; is an empty line missing?");
    }
  }

  private void endEntry(Map<String, String> fields, int number) {
    if (fields.isEmpty()) {
      return;
    }
    for (String key : NEEDED.stream().sorted().toList()) {
      if (!fields.containsKey(key)) {
        throw wrong(number, "the entry that ends here has no \"" + key + "\"");
      }
    }
    String suite = fields.get("suite");
    if (!suites.contains(suite)) {
      throw wrong(number, "no such suite: " + suite);
    }
    String with = fields.get("with");
    if (!with.equals("Verbena") && !with.equals(BOTH)) {
      throw wrong(number, "with: " + with + "; it is \"Verbena\" or \"" + BOTH + "\"");
    }
    Set<String> versions =
        fields.containsKey("on") ? Set.of(fields.get("on").split(",\\s*")) : Set.of();
    if (!seen.add(suite + ": " + fields.get("case") + versions)) {
      throw wrong(number, "a second entry for " + suite + ": " + fields.get("case"));
    }
    entries.add(
        new ExpectedFailure(
            suite, fields.get("case"), with.equals(BOTH), versions, fields.get("reason")));
    fields.clear();
  }

  private IllegalArgumentException wrong(int number, String message) {
    return new IllegalArgumentException(source + ", line " + number + ": " + message);
  }
}
