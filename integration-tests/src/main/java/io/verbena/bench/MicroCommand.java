package io.verbena.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import org.openjdk.jmh.results.format.ResultFormatType;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.ChainedOptionsBuilder;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code bin/bench micro}. */
@Command(
    name = "micro",
    mixinStandardHelpOptions = true,
    description = {
      "Microbenchmarks of the engine's hot paths (JMH), with what copies and checksums cost by"
          + " themselves on this machine.",
      "Writes target/bench/micro.json."
    })
final class MicroCommand implements Callable<Integer> {
  private static final String PACKAGE = "io[.]verbena[.](?:bench[.]micro|spark)[.]";

  @Parameters(
      arity = "0..*",
      paramLabel = "NAME",
      description = "Regular expressions for names of benchmarks; default all.")
  private List<String> names = List.of(".*");

  @Option(names = "--profiler", description = "A profiler of JMH, such as gc or stack.")
  private List<String> profilers = List.of();

  @Option(
      names = "--iterations",
      paramLabel = "SECONDS",
      description = "Measured iterations of a second each; default ${DEFAULT-VALUE}.")
  private int iterations = 5;

  @Option(names = "--quick", description = "Little time for each, for trying; no figures to quote.")
  private boolean quick;

  @Override
  public Integer call() throws IOException, RunnerException {
    System.out.println(Machine.here().line());
    Path file = BenchFiles.results().resolve("micro.json");
    Files.createDirectories(file.getParent());
    ChainedOptionsBuilder options =
        new OptionsBuilder()
            .forks(1)
            .warmupIterations(quick ? 1 : 4)
            .warmupTime(TimeValue.milliseconds(quick ? 200 : 1000))
            .measurementIterations(quick ? 1 : iterations)
            .measurementTime(TimeValue.milliseconds(quick ? 200 : 1000))
            .jvmArgs(JavaCommand.options().toArray(String[]::new))
            .resultFormat(ResultFormatType.JSON)
            .result(file.toString());
    names.forEach(name -> options.include(PACKAGE + ".*" + name));
    profilers.forEach(options::addProfiler);
    new Runner(options.build()).run();
    System.out.println("written: " + file);
    return 0;
  }
}
