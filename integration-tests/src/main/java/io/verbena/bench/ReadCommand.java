package io.verbena.bench;

import io.verbena.memory.MemoryView;
import io.verbena.probe.ReadLoop;
import io.verbena.store.StoreDescriptor;
import io.verbena.transport.Connection;
import io.verbena.transport.Transport;
import io.verbena.transport.UnreachableException;
import io.verbena.transport.verbs.VerbsTransport;
import io.verbena.transport.verbs.VerbsUnavailableException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import org.apache.spark.network.util.JavaUtils;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code bin/bench read}. */
@Command(
    name = "read",
    mixinStandardHelpOptions = true,
    description = {
      "RDMA READs from one process into another on this machine, which must have an RDMA device:"
          + " bytes a second of the transport verbs, and of perftest's ib_read_bw -R at the same"
          + " size and depth, in turns.",
      "Writes target/bench/read.json."
    })
final class ReadCommand implements Callable<Integer> {
  private static final double MIB = 1 << 20;

  @Option(
      names = "--address",
      paramLabel = "ADDRESS",
      required = true,
      description = "Address of the RDMA device's network interface.")
  private String address;

  @Option(
      names = "--sizes",
      split = ",",
      paramLabel = "SIZE",
      description = "Sizes of a READ; default ${DEFAULT-VALUE}.")
  private List<String> sizes = List.of("4k", "64k", "1m");

  @Option(
      names = "--depth",
      paramLabel = "N",
      description = "READs that are posted at a time; default ${DEFAULT-VALUE}.")
  private int depth = 32;

  @Option(
      names = "--seconds",
      paramLabel = "N",
      description = "How long each side reads in a round; default ${DEFAULT-VALUE}.")
  private int seconds = 4;

  @Option(
      names = "--rounds",
      paramLabel = "N",
      description = "Pairs for each size; default ${DEFAULT-VALUE}.")
  private int rounds = 7;

  /** Bytes a second in each round. */
  @SuppressWarnings("ArrayRecordComponent") // written, never compared
  record Row(String size, double[] verbena, double[] perftest) {
    double ratio() {
      return Stats.median(Stats.ratios(verbena, perftest));
    }
  }

  /** What is written. */
  record Result(Machine machine, int depth, int seconds, List<Row> rows) {}

  @Override
  public Integer call()
      throws IOException, InterruptedException, VerbsUnavailableException, UnreachableException {
    Machine machine = Machine.here();
    System.out.println(machine.line());
    List<Row> rows = new ArrayList<>();
    Path folder = Files.createTempDirectory(BenchFiles.scratch(), "read-");
    try (Child server =
            Child.start(
                "read-server",
                folder,
                ReadServer.class,
                List.of(),
                List.of(folder.resolve("server").toString(), address));
        VerbsTransport transport = VerbsTransport.open(ReadServer.settings(address))) {
      System.out.println(transport.device());
      StoreDescriptor peer = server.ask(StoreDescriptor.class, "descriptor");
      try (Connection connection = transport.connect("1", peer)) {
        for (String size : sizes) {
          rows.add(measure(transport, connection, size, new Perftest(address, folder)));
          print(rows.get(rows.size() - 1));
        }
      }
    } finally {
      BenchFiles.keepLogs(folder);
    }
    Path file = BenchFiles.results().resolve("read.json");
    Json.write(file, new Result(machine, depth, seconds, rows));
    System.out.println("written: " + file);
    return 0;
  }

  private Row measure(
      VerbsTransport transport, Connection connection, String name, Perftest perftest)
      throws IOException, InterruptedException {
    int size = Math.toIntExact(JavaUtils.byteStringAsBytes(name));
    MemoryView local = ReadLoop.memory(size, depth);
    Transport.Registration registered = transport.register(local);
    try {
      Duration time = Duration.ofSeconds(seconds);
      ReadLoop loop =
          new ReadLoop(connection, ReadServer.REGION, local, size, depth, Duration.ofMinutes(1));
      double[] verbena = new double[rounds];
      double[] other = new double[rounds];
      loop.run(time); // warm-up
      for (int i = 0; i < rounds; i++) {
        verbena[i] = loop.run(time);
        other[i] = perftest.run(size, depth, seconds);
      }
      return new Row(name, verbena, other);
    } finally {
      registered.close();
    }
  }

  private void print(Row row) {
    System.out.printf(
        Locale.ROOT,
        "%-4s verbs %8.1f MiB/s (%.1f to %.1f), ib_read_bw %8.1f (%.1f to %.1f), ratio %.2f%n",
        row.size(),
        Stats.median(row.verbena()) / MIB,
        Stats.min(row.verbena()) / MIB,
        Stats.max(row.verbena()) / MIB,
        Stats.median(row.perftest()) / MIB,
        Stats.min(row.perftest()) / MIB,
        Stats.max(row.perftest()) / MIB,
        row.ratio());
    System.out.flush();
  }
}
