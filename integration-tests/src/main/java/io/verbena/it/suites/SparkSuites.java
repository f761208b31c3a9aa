package io.verbena.it.suites;

import io.verbena.it.MarkdownTable;
import io.verbena.it.cluster.ClusterException;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/**
 * Command line of Spark's own tests. Progress and problems go to stderr, the table to stdout.
 *
 * <p>Threads: one.
 */
@Command(
    name = "bin/spark-suites",
    sortOptions = false,
    exitCodeOnInvalidInput = SparkSuites.USAGE_ERROR,
    usageHelpWidth = 100,
    description = {
      "Runs Spark's own tests, as Spark publishes them, with Verbena in place of Spark's shuffle."
          + " Prints a table: how many cases of each suite passed, failed and were skipped, and"
          + " what was not as expected. Cases that are known to fail are in"
          + " integration-tests/spark-suites/expected-failures.txt, with reasons. The first time"
          + " Maven fetches each Spark and its tests (about 330 MB).",
      ""
    },
    footer = {
      "",
      "Groups: core, migration, sql. A suite is named by its class without the package.",
      "",
      "For example:",
      "  bin/spark-suites --spark 4.1.2 --suite ShuffleSuite,DistributedSuite",
      "  bin/spark-suites --spark 4.1.2 --suite RDDSuite --case 'coalesced RDDs'",
      "  bin/spark-suites --group sql --own",
      "",
      "Exit codes: 0 everything was as expected, 1 something was not, 64 wrong command line, 69"
          + " something",
      "is missing on this machine."
    })
public final class SparkSuites implements Callable<Integer> {
  static final int FAILED = 1;
  static final int USAGE_ERROR = 64;

  private static final List<String> HEADER =
      List.of("Spark", "suite", "passed", "failed", "skipped", "problems", "seconds");

  @Spec private CommandSpec spec;

  @Option(
      names = "--spark",
      paramLabel = "VERSION",
      split = ",",
      description = "Only these versions of Spark, such as 4.1.2. Default: all.")
  private List<String> sparks = new ArrayList<>();

  @Option(
      names = "--group",
      paramLabel = "GROUP",
      split = ",",
      description = "These groups of suites. Default: core.")
  private List<String> groups = new ArrayList<>();

  @Option(
      names = "--suite",
      paramLabel = "SUITE",
      split = ",",
      description = "Only these suites, such as ShuffleSuite; of any group.")
  private List<String> suites = new ArrayList<>();

  @Option(
      names = "--case",
      paramLabel = "CASE",
      description = "Only this case of the one suite; may be given several times.")
  private List<String> cases = new ArrayList<>();

  @Option(
      names = "--short",
      description = "Of suites that have a short form only its cases, as in CI.")
  private boolean inShort;

  @Option(names = "--jobs", paramLabel = "N", description = "So many suites at a time. Default: 1.")
  private int jobs = 1;

  @Option(names = "--own", description = "Run them with Spark's own shuffle, to compare.")
  private boolean own;

  @Option(
      names = "--conf",
      paramLabel = "K=V",
      description = "A Spark option for all suites; may be given several times.")
  private Map<String, String> conf = new LinkedHashMap<>();

  @Option(
      names = {"-h", "--help"},
      usageHelp = true,
      description = "Print this and end.")
  @SuppressWarnings("unused") // picocli looks at it
  private boolean help;

  /** Runs suites and ends the process with the code. */
  public static void main(String[] args) {
    // Whoever ends this process, as with Ctrl+C, means the suite that runs as well.
    Runtime.getRuntime()
        .addShutdownHook(
            new Thread(
                () -> ProcessHandle.current().descendants().forEach(ProcessHandle::destroyForcibly),
                "end-suites"));
    System.exit(commandLine().execute(args));
  }

  /** The command line, for its help. */
  public static CommandLine commandLine() {
    return new CommandLine(new SparkSuites());
  }

  @Override
  public Integer call() throws InterruptedException {
    PrintWriter progress = spec.commandLine().getErr();
    List<String> versions = chosen("version", sparks, SuiteRunner.VERSIONS);
    List<Suite> wanted = wanted();
    if (!cases.isEmpty() && wanted.size() != 1) {
      throw usage("--case needs the one --suite that the case is in");
    }
    if (jobs < 1) {
      throw usage("--jobs " + jobs + ": at least 1");
    }
    if (conf.containsKey(WithDefaultManager.MANAGER)) {
      throw usage("--conf " + WithDefaultManager.MANAGER + ": --own or its absence sets it");
    }
    List<SuiteResult> results;
    try {
      results = run(versions, wanted, progress);
    } catch (ClusterException | IOException | IllegalArgumentException e) {
      progress.println("error: " + e.getMessage());
      return FAILED;
    }
    spec.commandLine().getOut().println(draw(results));
    spec.commandLine().getOut().println(sum(results));
    spec.commandLine().getOut().flush();
    return results.stream().allMatch(result -> result.problems().isEmpty()) ? 0 : FAILED;
  }

  private List<SuiteResult> run(List<String> versions, List<Suite> wanted, PrintWriter progress)
      throws IOException, InterruptedException {
    ExecutorService threads = Executors.newFixedThreadPool(jobs);
    try {
      List<Future<SuiteResult>> running = new ArrayList<>();
      for (String version : versions) {
        SuiteRunner runner = new SuiteRunner(version, own, conf);
        for (Suite suite : wanted) {
          List<String> only = inShort ? suite.shortCases() : cases;
          running.add(threads.submit(() -> runner.run(suite, only)));
        }
      }
      List<SuiteResult> results = new ArrayList<>();
      for (Future<SuiteResult> one : running) {
        SuiteResult result = one.get();
        progress.println(result);
        result.problems().forEach(problem -> progress.println("  " + problem));
        results.add(result);
      }
      return results;
    } catch (ExecutionException e) {
      throw new ClusterException(e.getCause().toString(), e);
    } finally {
      threads.shutdownNow();
    }
  }

  private List<Suite> wanted() {
    if (!suites.isEmpty()) {
      List<String> names = chosen("suite", suites, Group.all().map(Suite::name).toList());
      List<Suite> wanted =
          (groups.isEmpty() ? Group.all() : ofGroups(groups))
              .filter(suite -> names.contains(suite.name()))
              .toList();
      if (wanted.isEmpty()) {
        throw usage(
            "no suite is left: %s is in none of the groups %s"
                .formatted(String.join(", ", suites), String.join(", ", groups)));
      }
      return wanted;
    }
    return ofGroups(groups.isEmpty() ? List.of(Group.CORE.toString()) : groups).toList();
  }

  private Stream<Suite> ofGroups(List<String> names) {
    List<String> all = Stream.of(Group.values()).map(Group::toString).toList();
    return chosen("group", names, all).stream()
        .map(name -> Group.valueOf(name.toUpperCase(Locale.ROOT)))
        .flatMap(group -> group.suites().stream());
  }

  /** What was asked for, or all when nothing was. */
  private List<String> chosen(String what, List<String> asked, List<String> all) {
    for (String one : asked) {
      if (!all.contains(one)) {
        throw usage("no such %s: %s; there are: %s".formatted(what, one, String.join(", ", all)));
      }
    }
    return asked.isEmpty() ? all : asked;
  }

  private ParameterException usage(String message) {
    return new ParameterException(spec.commandLine(), message);
  }

  /** All suites together, in a line. */
  static String sum(List<SuiteResult> results) {
    return "Spark's own tests: %d passed, %d failed, %d skipped, %d not as expected"
        .formatted(
            count(results, TestCase.Outcome.PASSED),
            count(results, TestCase.Outcome.FAILED),
            count(results, TestCase.Outcome.SKIPPED),
            results.stream().mapToInt(result -> result.problems().size()).sum());
  }

  private static long count(List<SuiteResult> results, TestCase.Outcome outcome) {
    return results.stream().mapToLong(result -> result.count(outcome)).sum();
  }

  static String draw(List<SuiteResult> results) {
    return MarkdownTable.draw(
        HEADER,
        results.stream()
            .map(
                result ->
                    List.of(
                        result.spark(),
                        result.suite().name(),
                        Long.toString(result.count(TestCase.Outcome.PASSED)),
                        Long.toString(result.count(TestCase.Outcome.FAILED)),
                        Long.toString(result.count(TestCase.Outcome.SKIPPED)),
                        Integer.toString(result.problems().size()),
                        String.format(Locale.ROOT, "%.0f", result.seconds())))
            .toList());
  }
}
