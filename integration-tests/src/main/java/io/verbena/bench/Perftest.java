package io.verbena.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The RDMA community's own measurement, {@code ib_read_bw} of the package perftest. */
final class Perftest {
  /** Size, iterations, peak and average in MiB/s. */
  private static final Pattern LINE =
      Pattern.compile("(?m)^\\s*(\\d+)\\s+\\d+\\s+[0-9.]+\\s+([0-9.]+)\\s+[0-9.]+\\s*$");

  private static final int TRIES = 20;
  private static final long TRY_MILLIS = 500;

  private final String address;
  private final Path folder;

  Perftest(String address, Path folder) {
    this.address = address;
    this.folder = folder;
  }

  /** Reads between two processes of this host; bytes a second. */
  double run(int size, int depth, int seconds) throws IOException, InterruptedException {
    List<String> command =
        List.of(
            "ib_read_bw",
            "-R",
            "-F",
            "-s",
            Integer.toString(size),
            "-t",
            Integer.toString(depth),
            "-D",
            Integer.toString(seconds));
    Path serverLog = folder.resolve("ib_read_bw-server.log");
    Path clientLog = folder.resolve("ib_read_bw-client.log");
    Process server = start(command, serverLog);
    try {
      List<String> client = new ArrayList<>(command);
      client.add(address);
      // A server says nothing that can be waited for: its output comes when it ends.
      for (int i = 0; !read(client, clientLog, seconds); i++) {
        if (i == TRIES || !server.isAlive()) {
          throw new BenchException(
              "ib_read_bw failed: " + Files.readString(serverLog) + Files.readString(clientLog));
        }
        Thread.sleep(TRY_MILLIS);
      }
      return rate(Files.readString(clientLog), size);
    } finally {
      server.destroyForcibly();
      server.waitFor();
    }
  }

  private static boolean read(List<String> command, Path log, int seconds)
      throws IOException, InterruptedException {
    Process client = start(command, log);
    try {
      return client.waitFor(seconds + 60L, TimeUnit.SECONDS) && client.exitValue() == 0;
    } finally {
      client.destroyForcibly();
    }
  }

  private static Process start(List<String> command, Path log) throws IOException {
    return new ProcessBuilder(command)
        .redirectErrorStream(true)
        .redirectOutput(log.toFile())
        .start();
  }

  /** Bytes a second, from what the client prints. */
  static double rate(String text, int size) {
    Matcher matcher = LINE.matcher(text);
    while (matcher.find()) {
      if (Integer.parseInt(matcher.group(1)) == size) {
        return Double.parseDouble(matcher.group(2)) * (1 << 20);
      }
    }
    throw new BenchException("no result in what ib_read_bw printed: " + text);
  }
}
