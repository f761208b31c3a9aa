package io.verbena.conf;

/**
 * Definition of one setting. Immutable.
 *
 * @param <T> type of the value, which carries the unit: sizes are {@code long} bytes, times are
 *     {@link java.time.Duration}
 */
public final class ConfOption<T> {
  private final String key;
  private final OptionGroup group;
  private final String since;
  private final String doc;
  private final String relation;
  private final ValueType<T> type;
  private final String defaultText;
  private final T defaultValue;

  private ConfOption(Builder builder, ValueType<T> type, String defaultText) {
    this.key = RdmaOptions.PREFIX + builder.name;
    this.group = builder.group;
    this.since = builder.since;
    this.doc = builder.doc;
    this.relation = builder.relation;
    this.type = type;
    this.defaultText = defaultText;
    if (!(type.parse(defaultText) instanceof Parsed.Value<T> parsed)) {
      throw new IllegalStateException("default of " + key + " is not allowed: " + defaultText);
    }
    this.defaultValue = parsed.value();
  }

  static Builder named(OptionGroup group, String name) {
    return new Builder(group, name);
  }

  /** Full key, such as {@code spark.shuffle.rdma.chunkSize}. */
  public String key() {
    return key;
  }

  /** Default in the notation of the configuration, such as {@code 64m}; may be empty. */
  public String defaultText() {
    return defaultText;
  }

  /** Default as a value. */
  public T defaultValue() {
    return defaultValue;
  }

  /** What may be given, as a noun phrase, built from the limits that are checked. */
  public String allowed() {
    return relation.isEmpty() ? type.allowed() : type.allowed() + ", " + relation;
  }

  /** First version that knows the option. */
  public String since() {
    return since;
  }

  /** What the option does, in Markdown. */
  public String doc() {
    return doc;
  }

  @Override
  public String toString() {
    return key;
  }

  OptionGroup group() {
    return group;
  }

  ValueType<T> type() {
    return type;
  }

  Parsed<T> parse(String text) {
    String trimmed = text.trim();
    return trimmed.isEmpty() && !type.allowsEmpty()
        ? Parsed.fault("no value given", "give a value or leave the key out")
        : type.parse(trimmed);
  }

  Problem problem(String value, String fault, String remedy) {
    String shownDefault = defaultText.isEmpty() ? "nothing" : defaultText;
    return new Problem(key, value, fault, allowed() + " (default: " + shownDefault + ")", remedy);
  }

  /** Collects what every option has, whatever its type. */
  static final class Builder {
    private final OptionGroup group;
    private final String name;
    private String since = "";
    private String doc = "";
    private String relation = "";

    private Builder(OptionGroup group, String name) {
      this.group = group;
      this.name = name;
    }

    Builder since(String version) {
      this.since = version;
      return this;
    }

    Builder doc(String markdown) {
      this.doc = markdown.strip();
      return this;
    }

    /** A limit that depends on another option; checked in {@link CrossChecks}. */
    Builder relation(String text) {
      this.relation = text;
      return this;
    }

    <T> ConfOption<T> of(ValueType<T> type, String defaultText) {
      return new ConfOption<>(this, type, defaultText);
    }
  }
}
