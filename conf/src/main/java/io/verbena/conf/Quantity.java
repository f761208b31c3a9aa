package io.verbena.conf;

import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Sizes and times as Spark writes them: digits, then an optional unit, in either case. */
final class Quantity {
  /** Counted in bytes. */
  static final Quantity SIZE =
      new Quantity("size", "64m", "b", "bytes", sizeUnits(), sizeAliases());

  /** Counted in bytes; without a unit they are written in mebibytes. */
  static final Quantity MEMORY =
      new Quantity("size", "2g", "m", "mebibytes", sizeUnits(), sizeAliases());

  /** Counted in microseconds, the smallest unit that can be written. */
  static final Quantity TIME =
      new Quantity("time", "30s", "ms", "milliseconds", timeUnits(), Map.of("m", 60_000_000L));

  private static final Pattern WHOLE = Pattern.compile("([0-9]+)([a-z]*)");
  private static final Pattern FRACTION = Pattern.compile("[0-9]*\\.[0-9]+[a-z]*");
  private static final Pattern NEGATIVE = Pattern.compile("-[0-9.]+[a-z]*");

  private final String noun;
  private final String example;
  private final String plainUnit;
  private final String plainUnitName;
  private final Map<String, Long> units;
  private final Map<String, Long> aliases;

  private Quantity(
      String noun,
      String example,
      String plainUnit,
      String plainUnitName,
      Map<String, Long> units,
      Map<String, Long> aliases) {
    this.noun = noun;
    this.example = example;
    this.plainUnit = plainUnit;
    this.plainUnitName = plainUnitName;
    this.units = units;
    this.aliases = aliases;
  }

  private static Map<String, Long> sizeUnits() {
    Map<String, Long> units = new LinkedHashMap<>();
    long bytes = 1;
    for (String unit : new String[] {"b", "k", "m", "g", "t", "p"}) {
      units.put(unit, bytes);
      bytes <<= 10;
    }
    return units;
  }

  private static Map<String, Long> sizeAliases() {
    Map<String, Long> aliases = new LinkedHashMap<>();
    sizeUnits().forEach((unit, bytes) -> aliases.put(unit + "b", bytes));
    aliases.remove("bb");
    return aliases;
  }

  private static Map<String, Long> timeUnits() {
    Map<String, Long> units = new LinkedHashMap<>();
    units.put("us", 1L);
    units.put("ms", 1000L);
    units.put("s", 1_000_000L);
    units.put("min", 60_000_000L);
    units.put("h", 3_600_000_000L);
    units.put("d", 86_400_000_000L);
    return units;
  }

  /** Reads a text that is trimmed already. */
  Parsed<Long> parse(String text) {
    String lower = text.toLowerCase(Locale.ROOT);
    Matcher matcher = WHOLE.matcher(lower);
    if (!matcher.matches()) {
      return Parsed.fault(faultOf(lower), notation());
    }
    String unit = matcher.group(2).isEmpty() ? plainUnit : matcher.group(2);
    Long multiplier = units.getOrDefault(unit, aliases.get(unit));
    if (multiplier == null) {
      return Parsed.fault("unknown unit \"" + unit + "\" of a " + noun, notation());
    }
    try {
      long count = Long.parseLong(matcher.group(1));
      return Parsed.value(Math.multiplyExact(count, multiplier.longValue()));
    } catch (NumberFormatException | ArithmeticException e) {
      return Parsed.fault("a larger number than can be counted", "use a smaller " + noun);
    }
  }

  private String faultOf(String lower) {
    if (NEGATIVE.matcher(lower).matches()) {
      return "a " + noun + " cannot be negative";
    }
    if (FRACTION.matcher(lower).matches()) {
      return "a " + noun + " cannot have a fraction";
    }
    return "not a " + noun;
  }

  private String notation() {
    String all = String.join(", ", units.keySet());
    return "write a whole number and a unit (" + all + "), such as " + example;
  }

  /** What to add to a remedy for a value that is too small: the unit may just be missing. */
  String missingUnitHint(String text) {
    boolean plain = text.chars().allMatch(c -> c >= '0' && c <= '9');
    return plain ? "; a number without a unit counts " + plainUnitName : "";
  }

  /** Writes a count with the largest unit that divides it. */
  String format(long count) {
    String largest = plainUnit;
    for (Map.Entry<String, Long> unit : units.entrySet()) {
      if (count != 0 && count % unit.getValue() == 0) {
        largest = unit.getKey();
      }
    }
    return count / units.get(largest) + largest;
  }
}
