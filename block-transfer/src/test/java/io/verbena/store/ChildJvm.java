package io.verbena.store;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A Java process of a test's own classes, which talks by lines on its output. */
public final class ChildJvm implements AutoCloseable {
  private static final long DEADLINE_SECONDS = 120;

  private final Process process;
  private final BufferedReader output;

  /**
   * Starts a process.
   *
   * @param before words of the command before {@code java}
   */
  public ChildJvm(List<String> before, Class<?> main, String... arguments) throws IOException {
    List<String> command = new ArrayList<>(before);
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("-Xmx256m", "-XX:TieredStopAtLevel=1", "-cp"));
    command.add(System.getProperty("java.class.path"));
    command.add(main.getName());
    command.addAll(List.of(arguments));
    process = new ProcessBuilder(command).redirectErrorStream(true).start();
    output = process.inputReader(StandardCharsets.UTF_8);
  }

  /** Reads output up to a line; all of it when the line does not come. */
  public String until(String line) throws IOException {
    StringBuilder seen = new StringBuilder();
    for (String next = output.readLine(); next != null; next = output.readLine()) {
      seen.append(next).append('\n');
      if (next.equals(line)) {
        break;
      }
    }
    return seen.toString();
  }

  /** Its process id. */
  public long pid() {
    return process.pid();
  }

  /** Sends it a signal, such as {@code CONT}. */
  public void signal(String name) throws IOException, InterruptedException {
    Process kill = new ProcessBuilder("kill", "-" + name, "" + pid()).start();
    if (kill.waitFor() != 0) {
      throw new IOException("kill -" + name + " failed");
    }
  }

  /** Stops it with SIGSTOP and returns when it has stopped: none of its threads runs any more. */
  public void stop() throws IOException, InterruptedException {
    signal("STOP");
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(DEADLINE_SECONDS);
    while (!stopped()) {
      if (System.nanoTime() - deadline > 0) {
        throw new AssertionError("process " + pid() + " did not stop");
      }
      Thread.onSpinWait();
    }
  }

  /** Whether the kernel has it stopped, as {@code /proc} tells. */
  public boolean stopped() throws IOException {
    String stat = Files.readString(Path.of("/proc", "" + pid(), "stat"));
    return stat.charAt(stat.lastIndexOf(')') + 2) == 'T';
  }

  /** Kills it with SIGKILL and waits for its end. */
  public void kill() throws InterruptedException {
    process.destroyForcibly();
    waitForEnd();
  }

  public int waitForEnd() throws InterruptedException {
    if (!process.waitFor(DEADLINE_SECONDS, TimeUnit.SECONDS)) {
      throw new AssertionError("process " + process.pid() + " did not end");
    }
    return process.exitValue();
  }

  @Override
  public void close() {
    process.destroyForcibly();
  }
}
