package io.verbena.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import org.apache.spark.network.util.JavaUtils;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code bin/bench fetch}. */
@Command(
    name = "fetch",
    mixinStandardHelpOptions = true,
    description = {
      "Blocks from one process into another on this machine: bytes a second through the reducer's"
          + " InputStream into a heap array, by one-sided reads of a pool, by Spark's block"
          + " transfer service over loopback, and by Spark's host-local disk reads.",
      "Writes target/bench/fetch.json."
    })
final class FetchCommand implements Callable<Integer> {
  @Mixin private FetchOptions options = new FetchOptions();

  /** What is written. */
  record Result(Machine machine, FetchOptions.Shown options, List<FetchRow> rows) {}

  @Override
  public Integer call() throws IOException, InterruptedException {
    options.conclude();
    Machine machine = Machine.here();
    System.out.println(machine.line());
    System.out.println(options.shown().line());
    List<FetchRow> rows = new ArrayList<>();
    FetchTable table = new FetchTable(System.out);
    for (String size : options.sizes) {
      FetchShape shape =
          FetchShape.of(
              Math.toIntExact(JavaUtils.byteStringAsBytes(size)),
              JavaUtils.byteStringAsBytes(options.roundBytes));
      Path folder = Files.createTempDirectory(BenchFiles.scratch(), "fetch-");
      try {
        List<FetchRow> found =
            new FetchRun(options, shape, folder, EnumSet.copyOf(options.sides)).run();
        rows.addAll(found);
        table.print(size.toLowerCase(Locale.ROOT), found);
      } finally {
        BenchFiles.keepLogs(folder);
      }
    }
    Path file = BenchFiles.results().resolve("fetch.json");
    Json.write(file, new Result(machine, options.shown(), rows));
    System.out.println("written: " + file);
    return 0;
  }
}
