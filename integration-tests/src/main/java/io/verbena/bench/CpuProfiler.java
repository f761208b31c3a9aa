package io.verbena.bench;

import com.sun.tools.attach.AttachNotSupportedException;
import com.sun.tools.attach.VirtualMachine;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.Locale;

/**
 * Samples the CPU time of other JVMs, threads of the JVM itself and native code included, with
 * async-profiler: the JDK's recorder takes one thread in native code at a time, and compression is
 * native code.
 */
final class CpuProfiler {
  /** Options of a JVM with which samples fall on the right one of inlined methods. */
  static final String JVM_OPTIONS = "-XX:+UnlockDiagnosticVMOptions -XX:+DebugNonSafepoints";

  /** By each thread's own CPU clock, which needs no right; kernels tick every 4 ms or faster. */
  static final double SECONDS_OF_SAMPLE = 0.010;

  private static final String START = "start,event=ctimer,interval=10ms,threads";
  private static final String LIBRARY = "libasyncProfiler.so";

  private final Path library;

  private CpuProfiler(Path library) {
    this.library = library;
  }

  /** Puts the library for this machine into a folder. */
  static CpuProfiler in(Path folder) throws IOException {
    String arch = System.getProperty("os.arch").toLowerCase(Locale.ROOT);
    String name = "/linux-" + (arch.equals("aarch64") ? "arm64" : "x64") + "/" + LIBRARY;
    try (InputStream in = CpuProfiler.class.getResourceAsStream(name)) {
      if (in == null) {
        throw new BenchException(
            "--profile: async-profiler's jar with " + name + " is not on the class path");
      }
      Path library = Files.createDirectories(folder).resolve(LIBRARY);
      Files.copy(in, library, StandardCopyOption.REPLACE_EXISTING);
      return new CpuProfiler(library);
    }
  }

  void start(long pid) throws IOException {
    tell(pid, START);
  }

  /**
   * Ends it.
   *
   * @param stacks a file that is written, a line for each different stack
   * @return the lines
   */
  List<String> stop(long pid, Path stacks) throws IOException {
    tell(pid, "stop,collapsed,threads,file=" + stacks.toAbsolutePath());
    return Files.readAllLines(stacks);
  }

  private void tell(long pid, String what) throws IOException {
    try {
      VirtualMachine jvm = VirtualMachine.attach(Long.toString(pid));
      try {
        jvm.loadAgentPath(library.toString(), what);
      } finally {
        jvm.detach();
      }
    } catch (AttachNotSupportedException
        | com.sun.tools.attach.AgentLoadException
        | com.sun.tools.attach.AgentInitializationException e) {
      throw new BenchException(
          "--profile: process %d does not take \"%s\": %s".formatted(pid, what, e));
    }
  }
}
