package io.verbena.bench;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import picocli.CommandLine.Option;

/** Options of the job benchmark. */
final class JobOptions {
  private static final int QUICK_DIVISOR = 10;

  @Option(
      names = "--loads",
      split = ",",
      description = "Loads to run: ${COMPLETION-CANDIDATES}; default all.")
  List<JobLoad> loads = new ArrayList<>(Arrays.asList(JobLoad.values()));

  @Option(
      names = "--reduces",
      split = ",",
      paramLabel = "N",
      description = "Numbers of reduce partitions; default 64,512.")
  List<Integer> reduces = new ArrayList<>(Arrays.asList(64, 512));

  @Option(names = "--rounds", description = "Measured rounds; default ${DEFAULT-VALUE}.")
  int rounds = 5;

  @Option(
      names = "--warm-up",
      paramLabel = "ROUNDS",
      description = "Rounds before those that are measured; default ${DEFAULT-VALUE}.")
  int warmUp = 2;

  @Option(
      names = "--sides",
      split = ",",
      description = "Sides to run: ${COMPLETION-CANDIDATES}; default all.")
  List<JobSide> sides = new ArrayList<>(Arrays.asList(JobSide.values()));

  @Option(
      names = "--memory",
      paramLabel = "SIZE",
      description = "Heap of an executor; default ${DEFAULT-VALUE}.")
  String memory = "2g";

  @Option(
      names = "--conf",
      paramLabel = "KEY=VALUE",
      description = "A Spark option of all sides; repeatable.")
  Map<String, String> conf = new LinkedHashMap<>();

  @Option(
      names = "--verbena-conf",
      paramLabel = "KEY=VALUE",
      description = "A Spark option of Verbena's side alone; repeatable.")
  Map<String, String> verbenaConf = new LinkedHashMap<>();

  @Option(names = "--quick", description = "Less of everything, for trying: no figures to quote.")
  boolean quick;

  void conclude() {
    if (quick) {
      rounds = Math.min(rounds, 2);
      warmUp = Math.min(warmUp, 1);
    }
  }

  long records(JobLoad load) {
    return quick ? load.records() / QUICK_DIVISOR : load.records();
  }

  /** The options as figures depend on them. */
  record Shown(
      int rounds,
      int warmUpRounds,
      String executorMemory,
      Map<String, String> conf,
      Map<String, String> verbenaConf,
      boolean quick) {
    String line() {
      return String.format(
          Locale.ROOT,
          "2 executors of 1 core and %s heap; %d maps; %d rounds after %d to warm up, sides in"
              + " turn; conf %s, Verbena's own %s%s",
          executorMemory,
          JobLoad.MAPS,
          rounds,
          warmUpRounds,
          conf,
          verbenaConf,
          quick ? "; QUICK: not for quoting" : "");
    }
  }

  Shown shown() {
    return new Shown(rounds, warmUp, memory, conf, verbenaConf, quick);
  }
}
