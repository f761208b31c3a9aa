package io.verbena.it.suites;

import io.verbena.it.cluster.AppSpec;
import io.verbena.it.cluster.ClusterException;
import io.verbena.it.cluster.JavaHome;
import io.verbena.it.cluster.ManagedProcess;
import io.verbena.it.cluster.MavenFolder;
import io.verbena.it.cluster.ProjectJars;
import io.verbena.it.cluster.SparkHome;
import io.verbena.it.cluster.SparkHomes;
import io.verbena.it.cluster.SparkJvm;
import io.verbena.it.cluster.TextFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Runs suites on one version of Spark, each in a JVM of its own. What they leave is kept in {@code
 * target/spark-suites-runs} until they are run again.
 */
public final class SuiteRunner {
  /** Versions that can be run. */
  public static final List<String> VERSIONS = List.of("4.1.2", "4.2.0");

  private static final String SCALA = "2.13";
  private static final String SPARKS_OWN = "sort";
  private static final Duration LIMIT = Duration.ofMinutes(20);
  private static final double NANOS_PER_SECOND = 1e9;
  private static final Pattern ABORTED = Pattern.compile("Suites: completed \\d+, aborted (\\d+)");

  private final String spark;
  private final boolean own;
  private final Map<String, String> conf;
  private final SparkHome home;
  private final Path tests;
  private final Path classes;
  private final List<ExpectedFailure> expected;

  /**
   * Provides what is needed; the first time Maven fetches it.
   *
   * @param spark one of {@link #VERSIONS}
   * @param own whether Spark's own manager runs
   * @param conf options of Spark for all suites
   * @throws ClusterException when something is missing
   * @throws IOException when the list of failures cannot be read or classes cannot be written
   */
  public SuiteRunner(String spark, boolean own, Map<String, String> conf)
      throws IOException, InterruptedException {
    this.spark = spark;
    this.own = own;
    this.conf = Map.copyOf(conf);
    Path sources = ProjectJars.module().resolve("spark-suites");
    this.expected =
        ExpectedFailures.read(sources.resolve("expected-failures.txt"), Group.suiteNames());
    this.home = SparkHomes.provide(spark, SCALA);
    this.tests =
        MavenFolder.provide(
                "spark-suites",
                spark + "_" + SCALA,
                "spark-suites/pom.xml",
                Map.of("spark.version", spark, "scala.binary.version", SCALA))
            .resolve("jars");
    this.classes = runs().resolve("classes");
    Subclasses.compile(
        sources.resolve("java"), classes, List.of(home.path().resolve("jars"), tests));
    TestFiles.unpack(tests, classes);
  }

  private Path runs() {
    return ProjectJars.module()
        .resolve("target/spark-suites-runs")
        .resolve(spark + (own ? "-own" : ""));
  }

  /**
   * Runs a suite and judges it.
   *
   * @param cases names of the cases that are run; empty: all
   */
  public SuiteResult run(Suite suite, List<String> cases) throws IOException, InterruptedException {
    Path folder = runs().resolve(suite.name());
    MavenFolder.delete(folder);
    Path reports = Files.createDirectories(folder.resolve("reports"));
    Files.createDirectories(folder.resolve("tmp"));
    long start = System.nanoTime();
    ManagedProcess process = start(suite, cases, folder, reports);
    Optional<Integer> code;
    try {
      code = process.waitFor(LIMIT);
    } finally {
      process.endTree();
    }
    double seconds = (System.nanoTime() - start) / NANOS_PER_SECOND;
    List<String> problems = new ArrayList<>();
    if (code.isEmpty()) {
      problems.add("not done after " + LIMIT.toMinutes() + " minutes; see " + folder);
    }
    List<TestCase> ended = List.of();
    try {
      ended = JunitReports.read(reports);
    } catch (IOException e) {
      problems.add(e.getMessage() + "; end of its output:\n" + TextFile.tail(process.stdout()));
    }
    problems.addAll(
        Verdict.problems(
            ended,
            expected.stream().filter(entry -> entry.holdsFor(suite, spark, own)).toList(),
            cases));
    problems.addAll(endProblems(code.orElse(0), ended, process.stdout()));
    problems.addAll(ManagerProof.problems(folder, own));
    return new SuiteResult(suite, spark, ended, problems, seconds);
  }

  /** What a report does not tell: a suite that broke off before or after its cases. */
  private static List<String> endProblems(int code, List<TestCase> cases, Path stdout)
      throws IOException {
    Matcher aborted = ABORTED.matcher(Files.readString(stdout));
    if (aborted.find() && !aborted.group(1).equals("0")) {
      return List.of("the suite was aborted; end of its output:\n" + TextFile.tail(stdout));
    }
    if (code != 0 && cases.stream().noneMatch(c -> c.outcome() == TestCase.Outcome.FAILED)) {
      return List.of(
          "exit code %d, though no case failed; end of its output:%n%s"
              .formatted(code, TextFile.tail(stdout)));
    }
    return List.of();
  }

  private ManagedProcess start(Suite suite, List<String> cases, Path folder, Path reports)
      throws InterruptedException {
    String manager = own ? SPARKS_OWN : AppSpec.VERBENA_MANAGER;
    List<String> main = new ArrayList<>(List.of(WithDefaultManager.class.getName()));
    main.addAll(suite.main(reports.toString(), cases));
    Map<String, String> properties = new LinkedHashMap<>(own ? Map.of() : suite.conf());
    properties.putAll(conf);
    return new SparkJvm(home, JavaHome.current())
        .inheritedOptions(AppSpec.QUICK_START)
        .inheritedOptions(
            List.of(
                "-D" + WithDefaultManager.MANAGER + "=" + manager,
                "-Dlog4j2.configurationFile=classpath:io/verbena/it/suites/log4j2.properties",
                ManagerProof.option(folder)))
        .inheritedOptions(
            properties.entrySet().stream()
                .map(e -> "-D" + e.getKey() + "=" + e.getValue())
                .toList())
        .options(options(folder))
        .addClassPath(ProjectJars.verbena())
        .addClassPath(ProjectJars.applications())
        .addClassPath(classes)
        .addClassPath(tests.resolve("*"))
        .env("SPARK_TESTING", "1")
        .env("SPARK_HOME", folder.toString())
        .start(folder, main);
  }

  /** What Spark's own build sets for its tests. */
  private static List<String> options(Path folder) {
    return List.of(
        "-ea",
        "-Xmx3g",
        "-Xss4m",
        "-Djava.io.tmpdir=" + folder.resolve("tmp"),
        "-Djava.awt.headless=true",
        "-Dderby.system.durability=test",
        "-Dspark.test.home=" + folder,
        "-Dspark.testing=1",
        "-Dspark.master.rest.enabled=false",
        "-Dspark.ui.enabled=false",
        "-Dspark.ui.showConsoleProgress=false",
        "-Dspark.unsafe.exceptionOnMemoryLeak=true",
        "-Dspark.hadoop.hadoop.security.key.provider.path=test:///");
  }
}
