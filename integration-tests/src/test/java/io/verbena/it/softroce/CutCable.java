package io.verbena.it.softroce;

import io.verbena.it.jobs.GatedJob;
import io.verbena.it.jobs.Gates;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/**
 * A {@link GatedJob} of two rounds whose driver cuts the cable between the two hosts for good when
 * the reduce tasks of the second round are about to read. Arguments: the load, of two map and two
 * reduce tasks.
 */
public final class CutCable {
  /** With emulated processors; executors alone may take four minutes ({@link SparkHosts}). */
  private static final Duration START = Duration.ofMinutes(8);

  private CutCable() {}

  public static void main(String[] args) throws Exception {
    Path folder = Files.createDirectory(Path.of(System.getenv("SOFT_ROCE_SHARED"), "gates"));
    Gates gates = new Gates(folder);
    Thread hand = new Thread(() -> cutInTime(gates), "cable");
    hand.setDaemon(true);
    hand.start();
    GatedJob.main(new String[] {folder.toString(), args[0], "2"});
  }

  private static void cutInTime(Gates gates) {
    try {
      gates.open("0-reduce-0", "0-reduce-1", "0-reducing-0", "0-reducing-1");
      gates.open("1-map-0", "1-map-1", "1-reducing-0", "1-reducing-1");
      // Each wait has a deadline of its own, so there is one at every step.
      gates.awaitSomebodyAt("0-map-0", START);
      gates.awaitSomebodyAt("0-map-1");
      gates.open("0-map-0", "0-map-1");
      gates.awaitSomebodyAt("0-between");
      gates.open("0-between");
      gates.awaitSomebodyAt("1-between");
      gates.open("1-between");
      gates.awaitSomebodyAt("1-reduce-0");
      gates.awaitSomebodyAt("1-reduce-1");
      cut();
      gates.open("1-reduce-0", "1-reduce-1");
    } catch (IOException | InterruptedException e) {
      throw new IllegalStateException("the cable was not cut", e);
    }
  }

  private static void cut() throws IOException, InterruptedException {
    run("tc", "-s", "qdisc", "show", "dev", "eth0");
    run("tc", "qdisc", "change", "dev", "eth0", "root", "netem", "loss", "100%");
    System.err.println("cable cut");
  }

  private static void run(String... command) throws IOException, InterruptedException {
    Process process =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.INHERIT)
            .start();
    int code = process.waitFor();
    if (code != 0) {
      throw new IOException(List.of(command) + " ended with " + code);
    }
  }
}
