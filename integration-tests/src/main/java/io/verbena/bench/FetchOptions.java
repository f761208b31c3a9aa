package io.verbena.bench;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import picocli.CommandLine.Option;

/** Options of the fetch benchmark. */
final class FetchOptions {
  @Option(
      names = "--sizes",
      split = ",",
      paramLabel = "SIZE",
      description = "Block sizes; default 4k,64k,1m,16m.")
  List<String> sizes = new ArrayList<>(Arrays.asList("4k", "64k", "1m", "16m"));

  @Option(names = "--rounds", description = "Measured rounds; default ${DEFAULT-VALUE}.")
  int rounds = 5;

  @Option(names = "--round-bytes", description = "Bytes of a round; default ${DEFAULT-VALUE}.")
  String roundBytes = "256m";

  @Option(
      names = "--warm-up",
      paramLabel = "SECONDS",
      description =
          "CPU time that the reader spends on other blocks with each side before it is measured;"
              + " default ${DEFAULT-VALUE}.")
  double warmUpSeconds = 3;

  @Option(
      names = "--array",
      paramLabel = "BYTES",
      description = "Size of the heap array that the reader reads into; default ${DEFAULT-VALUE}.")
  int arrayBytes = 64 * 1024;

  @Option(
      names = "--spark-checksum",
      description =
          "Have Spark compute its checksum of what it reads, as its default"
              + " spark.shuffle.checksum.enabled does. Off here, which is faster for Spark;"
              + " Verbena checks every byte either way.")
  boolean sparkChecksum;

  @Option(
      names = "--sides",
      split = ",",
      description = "Sides to run: ${COMPLETION-CANDIDATES}; default all.")
  List<FetchSide> sides = new ArrayList<>(Arrays.asList(FetchSide.values()));

  @Option(names = "--quick", description = "Less of everything, for trying: no figures to quote.")
  boolean quick;

  /** The options as figures depend on them. */
  record Shown(
      int rounds,
      String roundBytes,
      double warmUpSeconds,
      int arrayBytes,
      boolean sparkChecksum,
      boolean quick) {
    String line() {
      return String.format(
          Locale.ROOT,
          "%d rounds of %s a size, sides in turn; %.1f CPU s warm-up each; into a heap array of %d"
              + " bytes; Spark's read checksum %s; no compression%s",
          rounds,
          roundBytes,
          warmUpSeconds,
          arrayBytes,
          sparkChecksum ? "on" : "off",
          quick ? "; QUICK: not for quoting" : "");
    }
  }

  Shown shown() {
    return new Shown(rounds, roundBytes, warmUpSeconds, arrayBytes, sparkChecksum, quick);
  }

  void conclude() {
    if (quick) {
      rounds = Math.min(rounds, 2);
      warmUpSeconds = Math.min(warmUpSeconds, 0.5);
      roundBytes = "64m";
    }
  }
}
