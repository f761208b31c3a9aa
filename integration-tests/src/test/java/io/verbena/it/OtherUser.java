package io.verbena.it;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A process of another user on this host, the one that owns nothing. Only root can start it. */
final class OtherUser {
  private static final String NOBODY = "65534";

  /** How an attempt ended. */
  record Attempt(int exitCode, String output) {}

  private OtherUser() {}

  static boolean available() throws IOException {
    return Files.getAttribute(Path.of("/proc/self"), "unix:uid").equals(0);
  }

  /** Reads the first byte of a file. The folder that it lies in is open to the process. */
  static Attempt read(Path file) throws IOException, InterruptedException {
    return run(file.getParent(), "head", "-c", "1", "./" + file.getFileName());
  }

  /** The same by the whole path. */
  static Attempt readFromRoot(Path file) throws IOException, InterruptedException {
    return run(Path.of("/"), "head", "-c", "1", file.toString());
  }

  /** Lists a folder. */
  static Attempt list(Path folder) throws IOException, InterruptedException {
    return run(Path.of("/"), "ls", folder.toString());
  }

  private static Attempt run(Path folder, String... command)
      throws IOException, InterruptedException {
    // A working directory is entered before the user changes, so folders above it do not matter.
    ProcessBuilder builder =
        new ProcessBuilder("setpriv", "--reuid=" + NOBODY, "--regid=" + NOBODY, "--clear-groups")
            .directory(folder.toFile())
            .redirectErrorStream(true);
    builder.command().addAll(List.of(command));
    builder.environment().put("LC_ALL", "C");
    Process process = builder.start();
    process.getOutputStream().close();
    try {
      String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      if (!process.waitFor(10, TimeUnit.SECONDS)) {
        throw new AssertionError("still runs after 10 s: " + builder.command());
      }
      return new Attempt(process.exitValue(), output);
    } finally {
      process.destroyForcibly();
    }
  }
}
