package io.verbena.it.cluster;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * Command prefixes that give a process, and what it starts, its own view of mounted file systems.
 * They need the program {@code unshare} and the right to mount, which root has.
 */
public final class Namespaces {
  private Namespaces() {}

  /**
   * A prefix that runs a command with an own, private {@code /dev/shm}: a tmpfs of this size.
   *
   * @param size as {@code mount -o size=} takes it, such as {@code 64m}
   */
  public static List<String> privateDevShm(String size) {
    return mounted("mount -t tmpfs -o size=" + size + " verbena-test /dev/shm");
  }

  /** A prefix that runs a command with an own {@code /dev/shm} that cannot be written to. */
  public static List<String> readOnlyDevShm() {
    return mounted("mount -t tmpfs -o ro,size=64k verbena-test /dev/shm");
  }

  /** Whether this machine and user may use these prefixes: found out by doing it. */
  public static boolean available() throws InterruptedException {
    List<String> command = new ArrayList<>(privateDevShm("64k"));
    command.add("true");
    try {
      Process process =
          new ProcessBuilder(command)
              .redirectErrorStream(true)
              .redirectOutput(ProcessBuilder.Redirect.DISCARD)
              .start();
      try {
        return process.waitFor(10, TimeUnit.SECONDS) && process.exitValue() == 0;
      } finally {
        process.destroyForcibly();
      }
    } catch (IOException e) {
      return false; // No program of that name: the answer that was asked for.
    }
  }

  private static List<String> mounted(String mount) {
    // unshare makes all mounts private by itself; exec keeps the process id.
    return List.of("unshare", "-m", "sh", "-c", mount + " && exec \"$@\"", "sh");
  }
}
