package io.verbena.bench;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/**
 * One block size: fresh processes, a shuffle for each round and one to warm compilers up, written
 * before anything is measured. Every round's shuffle lies in memory that the reading process has
 * not read before.
 */
final class FetchRun {
  private static final int WARM_UP = 0;

  private final FetchOptions options;
  private final FetchShape shape;
  private final Path folder;
  private final Set<FetchSide> sides;
  private final List<FetchRow> rows;

  FetchRun(FetchOptions options, FetchShape shape, Path folder, Set<FetchSide> sides) {
    this.options = options;
    this.shape = shape;
    this.folder = folder;
    this.sides = EnumSet.copyOf(sides);
    this.rows = Arrays.stream(FetchPass.values()).map(pass -> new FetchRow(shape, pass)).toList();
  }

  List<FetchRow> run() throws IOException, InterruptedException {
    try (Child reader = startReader();
        Child spark = startSpark(reader);
        Child verbena = startVerbena()) {
      reader.tell("spark", spark.ask(Integer.class, "port"));
      for (int shuffle = WARM_UP; shuffle <= options.rounds; shuffle++) {
        write(shuffle, reader, spark, verbena);
      }
      writeBack();
      for (FetchSide side : sides) {
        reader.tell(words("warm", side, WARM_UP, options.warmUpSeconds));
      }
      for (int shuffle = WARM_UP + 1; shuffle <= options.rounds; shuffle++) {
        for (FetchRow row : rows) {
          pass(row, shuffle, reader, spark, verbena);
        }
      }
      for (FetchSide side : sides) {
        reader.tell(words("verify", side, WARM_UP));
        reader.tell(words("verify", side, options.rounds));
      }
    }
    return rows;
  }

  private void pass(FetchRow row, int shuffle, Child reader, Child spark, Child verbena)
      throws IOException, InterruptedException {
    for (FetchSide side : sides) {
      Child server = side == FetchSide.VERBENA ? verbena : spark;
      ProcCpu cpu = ProcCpu.start(server.pid());
      FetchReader.Round round = reader.ask(FetchReader.Round.class, words("read", side, shuffle));
      row.cell(side).add(round, cpu.seconds());
    }
  }

  private void write(int shuffle, Child reader, Child spark, Child verbena)
      throws IOException, InterruptedException {
    if (sides.contains(FetchSide.NETTY) || sides.contains(FetchSide.DISK)) {
      spark.tell("write", shuffle, shape.blockSize(), shape.maps(), shape.partitions());
    }
    if (sides.contains(FetchSide.VERBENA)) {
      VerbenaServer.Place place =
          verbena.ask(
              VerbenaServer.Place.class,
              "write",
              shuffle,
              shape.blockSize(),
              shape.maps(),
              shape.partitions());
      reader.tell("verbena", shuffle, folder.resolve("verbena-server"), Json.line(place));
    }
  }

  private Object[] words(String word, FetchSide side, int shuffle, Object... more) {
    List<Object> words = new ArrayList<>(List.of(word, side, shuffle));
    words.addAll(List.of(shape.blockSize(), shape.maps(), shape.partitions()));
    words.addAll(List.of(more));
    return words.toArray();
  }

  private Child startReader() throws IOException {
    return Child.start(
        "reader-" + shape.blockSize(),
        folder,
        FetchReader.class,
        List.of("-Xmx2g"),
        List.of(
            folder.toString(),
            Integer.toString(options.arrayBytes),
            Boolean.toString(options.sparkChecksum)));
  }

  private Child startSpark(Child reader) throws IOException, InterruptedException {
    FetchReader.Driver driver = reader.ask(FetchReader.Driver.class, "driver");
    return Child.start(
        "spark-server-" + shape.blockSize(),
        folder,
        SparkServer.class,
        List.of("-Xmx2g"),
        List.of(driver.port(), driver.appId(), folder.resolve("spark-server").toString()));
  }

  private Child startVerbena() throws IOException {
    // Room for all rounds, and regions that are not filled to their ends.
    long limit = (options.rounds + 2) * (shape.bytes() + shape.bytes() / 8 + (512L << 20));
    return Child.start(
        "verbena-server-" + shape.blockSize(),
        folder,
        VerbenaServer.class,
        List.of("-Xmx1g"),
        List.of(folder.resolve("verbena-server").toString(), Long.toString(limit)));
  }

  /** Has Spark's files written to disk now rather than while rounds run. They stay cached. */
  private static void writeBack() throws IOException, InterruptedException {
    new ProcessBuilder("sync").inheritIO().start().waitFor();
  }
}
