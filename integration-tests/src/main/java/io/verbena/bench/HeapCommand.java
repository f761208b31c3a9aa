package io.verbena.bench;

import io.verbena.store.StoreStats;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code bin/bench heap}. */
@Command(
    name = "heap",
    mixinStandardHelpOptions = true,
    description = {
      "Memory that the engine keeps in one executor that holds all map outputs of a shuffle and"
          + " has read another executor that holds as many: Java heap, pool, location tables.",
      "Writes target/bench/heap.json."
    })
final class HeapCommand implements Callable<Integer> {
  private static final double MIB = 1L << 20;
  private static final long POOL_LIMIT = 4L << 30;

  @Option(names = "--maps", description = "Map outputs; default ${DEFAULT-VALUE}.")
  private int maps = 2_000;

  @Option(names = "--reduces", description = "Reduce partitions; default ${DEFAULT-VALUE}.")
  private int reduces = 2_000;

  @Option(
      names = "--block",
      paramLabel = "BYTES",
      description = "Bytes of a block, a multiple of 8; default ${DEFAULT-VALUE}.")
  private int block = 64;

  @Option(names = "--quick", description = "A tenth of the maps, for trying.")
  private boolean quick;

  /** What is written. */
  record Result(Machine machine, FetchShape shape, HeapProbe.Kept kept, StoreStats store) {}

  @Override
  public Integer call() throws IOException, InterruptedException {
    FetchShape shape = new FetchShape(block, quick ? Math.max(1, maps / 10) : maps, reduces);
    Machine machine = Machine.here();
    System.out.println(machine.line());
    Path folder = Files.createTempDirectory(BenchFiles.scratch(), "heap-");
    try (Child peer = startPeer(folder);
        Child probe = startProbe(folder, shape)) {
      VerbenaServer.Place place =
          peer.ask(VerbenaServer.Place.class, "write", 0, block, shape.maps(), shape.partitions());
      HeapProbe.Kept kept =
          probe.ask(HeapProbe.Kept.class, "measure", folder.resolve("peer"), Json.line(place));
      StoreStats stats = probe.ask(StoreStats.class, "stats");
      print(shape, kept, stats);
      Path file = BenchFiles.results().resolve("heap.json");
      Json.write(file, new Result(machine, shape, kept, stats));
      System.out.println("written: " + file);
    } finally {
      BenchFiles.keepLogs(folder);
    }
    return 0;
  }

  private static Child startPeer(Path folder) throws IOException {
    return Child.start(
        "peer",
        folder,
        VerbenaServer.class,
        List.of("-Xmx1g"),
        List.of(folder.resolve("peer").toString(), Long.toString(POOL_LIMIT)));
  }

  /** With a collector that leaves nothing behind and counts no padding. */
  private static Child startProbe(Path folder, FetchShape shape) throws IOException {
    return Child.start(
        "probe",
        folder,
        HeapProbe.class,
        List.of("-Xmx1g", "-XX:+UseSerialGC"),
        List.of(
            folder.resolve("probe").toString(),
            Long.toString(POOL_LIMIT),
            Integer.toString(shape.blockSize()),
            Integer.toString(shape.maps()),
            Integer.toString(shape.partitions())));
  }

  private static void print(FetchShape shape, HeapProbe.Kept kept, StoreStats stats) {
    System.out.printf(
        Locale.ROOT,
        "%n%d maps by %d reduces, blocks of %d bytes, all in one executor%n%n",
        shape.maps(),
        shape.partitions(),
        shape.blockSize());
    line("heap kept by the store", kept.storeBytes());
    line("heap kept by store and client", kept.allBytes());
    line("the same while a task reads", kept.readingBytes());
    line("objects of this project's classes", kept.own().bytes());
    System.out.println("largest classes of the whole process:");
    kept.own().largest().forEach(text -> System.out.println("    " + text));
    line("shuffle bytes", shape.bytes());
    line("pool bytes, tables left out", stats.poolBytes() - stats.tableBytes());
    line("table bytes", stats.tableBytes());
    System.out.printf(
        Locale.ROOT,
        "%-44s %10.2f%n",
        "table bytes a block",
        stats.tableBytes() / (double) shape.blocks());
    line("regions", stats.poolReserved());
  }

  private static void line(String what, long bytes) {
    System.out.printf(Locale.ROOT, "%-44s %10.2f MiB%n", what, bytes / MIB);
  }
}
