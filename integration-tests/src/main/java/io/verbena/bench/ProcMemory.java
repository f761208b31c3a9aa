package io.verbena.bench;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/** Resident memory of a process, as the kernel counts it. */
final class ProcMemory {
  private static final String PEAK = "VmHWM:";

  private ProcMemory() {}

  /**
   * Lets the peak begin anew.
   *
   * @return whether the kernel lets us; otherwise the peak is since the process began
   */
  static boolean resetPeak(long pid) {
    try {
      Files.writeString(file(pid, "clear_refs"), "5\n", StandardCharsets.US_ASCII);
      return true;
    } catch (IOException e) {
      return false;
    }
  }

  /** Bytes. */
  static long peak(long pid) throws IOException {
    for (String line : Files.readAllLines(file(pid, "status"), StandardCharsets.UTF_8)) {
      if (line.startsWith(PEAK)) {
        String kib = line.substring(PEAK.length(), line.indexOf("kB")).strip();
        return Long.parseLong(kib) << 10;
      }
    }
    throw new BenchException("no " + PEAK + " in " + file(pid, "status"));
  }

  private static Path file(long pid, String name) {
    return Path.of("/proc", Long.toString(pid), name);
  }
}
