package io.verbena.apps.tpch;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import org.apache.spark.SparkConf;
import org.apache.spark.sql.SparkSession;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Command line of the application, for {@code spark-submit}. */
@Command(
    name = "Tpch",
    sortOptions = false,
    exitCodeOnInvalidInput = Tpch.USAGE_ERROR,
    usageHelpWidth = 100,
    description =
        "Generates the tables of TPC-H, or runs its queries and prints a line of JSON for each run:"
            + " query, time, number and digests of its rows, what it shuffled. Progress goes to"
            + " stderr.",
    footer = {
      "",
      "Exit codes: 0 fine, 1 a query or Spark failed, 2 no tables there, 64 wrong command line."
    })
public final class Tpch implements Callable<Integer> {
  static final int FAILED = 1;
  static final int NO_TABLES = 2;
  static final int USAGE_ERROR = 64;

  @Spec private CommandSpec spec;

  @Option(
      names = "--data",
      required = true,
      paramLabel = "FOLDER",
      description = "Where the tables are; driver and executors must see it.")
  private Path data;

  @Option(
      names = "--scale",
      defaultValue = "1",
      paramLabel = "SF",
      description = "Scale factor: 1 is a gigabyte. Default: ${DEFAULT-VALUE}.")
  private double scale;

  @Option(names = "--generate", description = "Make the tables; no query is run.")
  private boolean generate;

  @Option(
      names = "--parts",
      defaultValue = "4",
      paramLabel = "N",
      description = "Files of each table when they are made. Default: ${DEFAULT-VALUE}.")
  private int parts;

  @Option(
      names = "--queries",
      paramLabel = "N",
      split = ",",
      description = "Only these, such as 1,18. Default: all.")
  private List<Integer> queries = new ArrayList<>();

  @Option(
      names = "--adaptive",
      paramLabel = "on|off",
      split = ",",
      description = "Adaptive execution; given both, each query runs twice. Default: on.")
  private List<Switch> adaptive = new ArrayList<>(List.of(Switch.ON));

  @Option(
      names = "--rounds",
      defaultValue = "1",
      paramLabel = "N",
      description = "How often all queries are run. Default: ${DEFAULT-VALUE}.")
  private int rounds;

  @Option(
      names = {"-h", "--help"},
      usageHelp = true,
      description = "Print this and end.")
  @SuppressWarnings("unused") // picocli looks at it
  private boolean help;

  /** What {@code --adaptive} takes. */
  enum Switch {
    ON,
    OFF
  }

  /** Runs the application and ends the process with its code. */
  public static void main(String[] args) {
    int code = commandLine().execute(args);
    if (code != 0) {
      System.exit(code);
    }
  }

  static CommandLine commandLine() {
    return new CommandLine(new Tpch()).setCaseInsensitiveEnumValuesAllowed(true);
  }

  @Override
  public Integer call() throws IOException {
    check("--scale", scale > 0);
    check("--parts", parts >= 1);
    check("--rounds", rounds >= 1);
    List<Query> wanted = wanted();
    Tables tables = new Tables(data);
    if (!generate && !tables.complete()) {
      System.err.println("error: no tables in " + data + ": make them with --generate");
      return NO_TABLES;
    }
    SparkSession session =
        SparkSession.builder()
            .config(
                new SparkConf()
                    .setIfMissing("spark.app.name", "TPC-H")
                    .set("spark.sql.datetime.java8API.enabled", "true"))
            .getOrCreate();
    if (generate) {
      return generate(session, tables);
    }
    return run(session, tables, wanted);
  }

  private void check(String option, boolean positive) {
    if (!positive) {
      throw new ParameterException(spec.commandLine(), option + " must be positive");
    }
  }

  private List<Query> wanted() {
    try {
      return queries.isEmpty() ? Query.all() : queries.stream().map(Query::new).toList();
    } catch (IllegalArgumentException e) {
      throw new ParameterException(spec.commandLine(), "--queries: " + e.getMessage());
    }
  }

  private int generate(SparkSession session, Tables tables) throws IOException {
    try {
      tables.generate(session, scale, parts);
      return 0;
    } finally {
      session.stop();
    }
  }

  private int run(SparkSession session, Tables tables, List<Query> wanted) {
    QueryRunner runner = new QueryRunner(session, scale);
    List<QueryResult> results = new ArrayList<>();
    try {
      tables.open(session);
      for (int round = 1; round <= rounds; round++) {
        for (Query query : wanted) {
          for (Switch each : adaptive) {
            QueryResult result = runner.run(query, each == Switch.ON, round);
            results.add(result);
            System.err.printf(
                Locale.ROOT,
                "%s, adaptive %s, round %d: %.2f s%n",
                result.query(),
                each,
                round,
                result.seconds());
          }
        }
      }
    } finally {
      // Metrics of the last tasks have come when it has stopped.
      session.stop();
    }
    PrintStream out = new PrintStream(System.out, true, StandardCharsets.UTF_8);
    results.forEach(result -> out.println(runner.counted(result).line()));
    return results.stream().allMatch(result -> result.error() == null) ? 0 : FAILED;
  }
}
