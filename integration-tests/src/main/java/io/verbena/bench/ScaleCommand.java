package io.verbena.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code bin/bench scale}. */
@Command(
    name = "scale",
    mixinStandardHelpOptions = true,
    description = {
      "What a block costs as shuffles grow, and what an executor costs as there are more of them:"
          + " engines of several executors in one process, and a reader by shm.",
      "Writes target/bench/scale.json."
    })
final class ScaleCommand implements Callable<Integer> {
  private static final int MAPS_EACH = 10;
  private static final int REDUCES = 1_000;

  @CommandLine.Spec private CommandLine.Model.CommandSpec spec;

  @Option(
      names = "--sizes",
      split = ",",
      paramLabel = "NUMBER",
      description = "Maps, and as many reduces, in one executor; default ${DEFAULT-VALUE}.")
  private List<Integer> sizes = List.of(100, 300, 1_000, 3_000);

  @Option(
      names = "--executors",
      split = ",",
      paramLabel = "NUMBER",
      description =
          "Executors of ten map outputs each, with 1,000 reduces; default ${DEFAULT-VALUE}.")
  private List<Integer> executors = List.of(2, 4, 8, 16);

  @Option(
      names = "--block",
      paramLabel = "BYTES",
      description = "Bytes of a block, a multiple of 8; default ${DEFAULT-VALUE}.")
  private int block = 64;

  @Option(names = "--rounds", description = "Rounds through all; default ${DEFAULT-VALUE}.")
  private int rounds = 5;

  @Option(
      names = "--millis",
      description = "Least time for each in a round; default ${DEFAULT-VALUE}.")
  private int millis = 1_000;

  @Option(names = "--quick", description = "One short round, for trying; no figures to quote.")
  private boolean quick;

  @Override
  public Integer call() throws IOException, InterruptedException {
    List<ScaleShape> shapes = shapes();
    Machine machine = Machine.here();
    System.out.println(machine.line());
    Path folder = Files.createTempDirectory(BenchFiles.scratch(), "scale-");
    List<List<ScalePoint>> all = new ArrayList<>();
    try (Child probe = start(folder)) {
      // Compiled by what is small; it says nothing.
      round(probe, List.of(shapes.get(0), shapes.get(shapes.size() - 1)));
      for (int i = 0; i < (quick ? 1 : rounds); i++) {
        all.add(round(probe, shapes));
      }
    } finally {
      BenchFiles.keepLogs(folder);
    }
    ScaleResult result = ScaleResult.of(machine, all);
    new ScaleTable(System.out).print(result);
    Path file = BenchFiles.results().resolve("scale.json");
    Json.write(file, result);
    System.out.println("written: " + file);
    return 0;
  }

  private List<ScaleShape> shapes() {
    check("--sizes", sizes, 2, 10_000);
    check("--executors", executors, 2, 64);
    check("--rounds", List.of(rounds), 1, 1_000);
    check("--millis", List.of(millis), 1, 600_000);
    check("--block", List.of(block), 8, 1 << 20);
    if (block % 8 != 0) {
      throw wrong("--block", block, "a multiple of 8");
    }
    List<ScaleShape> shapes = new ArrayList<>();
    sizes.forEach(size -> shapes.add(new ScaleShape(1, size, size, block)));
    executors.forEach(many -> shapes.add(new ScaleShape(many, MAPS_EACH, REDUCES, block)));
    return shapes;
  }

  private void check(String option, List<Integer> values, int least, int most) {
    for (int value : values) {
      if (value < least || value > most) {
        throw wrong(option, value, "from " + least + " to " + most);
      }
    }
  }

  private CommandLine.ParameterException wrong(String option, int value, String allowed) {
    return new CommandLine.ParameterException(
        spec.commandLine(), option + "=" + value + ": " + allowed);
  }

  private static Child start(Path folder) throws IOException {
    return Child.start(
        "scale",
        folder,
        ScaleProbe.class,
        List.of("-Xmx2g"),
        List.of(folder.resolve("probe").toString()));
  }

  private List<ScalePoint> round(Child probe, List<ScaleShape> shapes)
      throws IOException, InterruptedException {
    List<ScalePoint> points = new ArrayList<>();
    for (ScaleShape shape : shapes) {
      points.add(probe.ask(ScalePoint.class, "measure", Json.line(shape), quick ? 100 : millis));
    }
    return points;
  }
}
