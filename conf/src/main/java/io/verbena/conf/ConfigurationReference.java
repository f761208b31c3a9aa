package io.verbena.conf;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * Writes the reference page of all settings, {@code docs/configuration.md}: to the file that is
 * named as the only argument, or else to standard output.
 */
public final class ConfigurationReference {
  private static final Pattern KEY = Pattern.compile("spark\\.[A-Za-z]+(\\.[A-Za-z]+)+(=[a-z]+)?");

  private static final String INTRODUCTION =
      """
      <!-- Generated from io.verbena.conf.RdmaOptions. To change it, change the option and run
           mvn -q -pl conf compile exec:java -->

      # Configuration

      Nothing has to be set: the shuffle is switched on with

          --conf spark.shuffle.manager=io.verbena.spark.RdmaShuffleManager

      and all settings below have defaults. They are Spark settings like any other: `--conf
      key=value` on the command line of `spark-submit`, a line in `spark-defaults.conf`, or
      `SparkConf.set` before the context is made. They are read once, when the shuffle starts,
      and hold for the whole application.

      **Sizes** are whole numbers with a unit, `b`, `k`, `m`, `g`, `t` or `p` (powers of 1024,
      also written `kb`, `mb` and so on); without a unit they are bytes. **Times** have the unit
      `us`, `ms`, `s`, `m` or `min`, `h` or `d`; without a unit they are milliseconds. Neither may
      be negative or have a fraction. Units and names may be written in either case. **Lists** have
      commas between.

      A wrong setting stops the application at start. Nothing is replaced or rounded. All problems
      are told together, each with what is allowed and what to do, and a key that begins with
      `spark.shuffle.rdma.` and is not listed here is one of them:

      """;

  private static final Map<String, String> WRONG =
      Map.of(RdmaOptions.POOL_REGION_SIZE.key(), "300m", RdmaOptions.PREFIX + "regionSize", "256m");

  private final StringBuilder page = new StringBuilder(INTRODUCTION);

  private ConfigurationReference() {}

  /**
   * Entry point.
   *
   * @param args the file to write, or nothing
   * @throws IOException if the file cannot be written
   */
  public static void main(String[] args) throws IOException {
    if (args.length > 1) {
      throw new IllegalArgumentException("one file at most, not " + String.join(" ", args));
    }
    if (args.length == 1) {
      Files.writeString(Path.of(args[0]), page());
    } else {
      // Not the platform's character set: the page is the same everywhere.
      new PrintStream(System.out, true, StandardCharsets.UTF_8).print(page());
    }
  }

  /** The whole page, in Markdown. */
  static String page() {
    return new ConfigurationReference().build();
  }

  private String build() {
    appendExample();
    for (OptionGroup group : OptionGroup.values()) {
      page.append("\n## ").append(group.title()).append("\n\n");
      appendTable(group);
      for (ConfOption<?> option : RdmaOptions.all()) {
        if (option.group() == group) {
          appendOption(option);
        }
      }
    }
    return page.toString();
  }

  /** Shows what a mistake looks like, as the code says it. */
  private void appendExample() {
    try {
      RdmaConf.read(WRONG);
      throw new IllegalStateException("allowed: " + WRONG);
    } catch (InvalidConfException e) {
      page.append(e.getMessage().indent(4));
    }
  }

  private void appendTable(OptionGroup group) {
    page.append("| key | type | default | since |\n|---|---|---|---|\n");
    for (ConfOption<?> option : RdmaOptions.all()) {
      if (option.group() == group) {
        page.append("| ").append(code(option.key()));
        page.append(" | ").append(option.type().name());
        page.append(" | ").append(shownDefault(option));
        page.append(" | ").append(option.since()).append(" |\n");
      }
    }
  }

  private void appendOption(ConfOption<?> option) {
    page.append("\n### ").append(code(option.key())).append("\n\n");
    page.append(option.doc()).append("\n\n");
    for (DocumentedValue value : option.type().values()) {
      page.append("- ").append(code(value.spelling())).append(": ");
      page.append(value.doc()).append(".\n");
    }
    if (!option.type().values().isEmpty()) {
      page.append('\n');
    }
    page.append("Allowed: ").append(KEY.matcher(option.allowed()).replaceAll("`$0`"));
    page.append(". Default: ").append(shownDefault(option)).append(".\n");
  }

  private static String shownDefault(ConfOption<?> option) {
    return option.defaultText().isEmpty() ? "nothing" : code(option.defaultText());
  }

  private static String code(String text) {
    return "`" + text + "`";
  }
}
