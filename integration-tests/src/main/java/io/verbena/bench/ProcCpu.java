package io.verbena.bench;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;

/**
 * CPU time that a process has used, of all its threads. {@code /proc/PID/stat} knows it in ticks of
 * 10 ms, threads that have ended included; the scheduler's figures of living threads are in
 * nanoseconds. Short rounds need the latter, and processes measured here keep their threads.
 */
final class ProcCpu {
  private static final double TICKS_PER_SECOND = 100;

  private final long pid;
  private final Map<String, Long> threadsThen;
  private final double ticksThen;

  private ProcCpu(long pid, Map<String, Long> threadsThen, double ticksThen) {
    this.pid = pid;
    this.threadsThen = threadsThen;
    this.ticksThen = ticksThen;
  }

  /** CPU nanoseconds of each living thread, by thread id. */
  private static Map<String, Long> threads(long pid) throws IOException {
    Map<String, Long> nanos = new HashMap<>();
    Path tasks = Path.of("/proc", Long.toString(pid), "task");
    try (DirectoryStream<Path> threads = Files.newDirectoryStream(tasks)) {
      for (Path thread : threads) {
        try {
          String line = Files.readString(thread.resolve("schedstat"), StandardCharsets.US_ASCII);
          nanos.put(
              thread.getFileName().toString(),
              Long.parseLong(line.substring(0, line.indexOf(' '))));
        } catch (IOException e) {
          // The thread has ended, or this kernel keeps no such figures.
        }
      }
    }
    return nanos;
  }

  /** Starts to count a process's CPU time. */
  static ProcCpu start(long pid) throws IOException {
    return new ProcCpu(pid, threads(pid), tickSeconds(pid));
  }

  /** Seconds since the start. What a thread that has ended did meanwhile is not seen. */
  double seconds() throws IOException {
    if (threadsThen.isEmpty()) {
      return tickSeconds(pid) - ticksThen;
    }
    long sum = 0;
    for (Map.Entry<String, Long> thread : threads(pid).entrySet()) {
      sum += thread.getValue() - threadsThen.getOrDefault(thread.getKey(), 0L);
    }
    return sum / 1e9;
  }

  /** Seconds by {@code /proc/PID/stat}: user and system time, in steps of 10 ms. */
  static double tickSeconds(long pid) throws IOException {
    String stat = Files.readString(Path.of("/proc", Long.toString(pid), "stat"));
    // The command's name may hold blanks and brackets; fields are counted behind it.
    String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1);
    return (Long.parseLong(fields[11]) + Long.parseLong(fields[12])) / TICKS_PER_SECOND;
  }
}
