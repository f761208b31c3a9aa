package io.verbena.it;

import io.verbena.it.cluster.Await;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * How a script of {@code bin/} ended.
 *
 * @param code its exit code
 * @param out what it wrote to standard output
 * @param err what it wrote to standard error
 */
public record ScriptRun(int code, String out, String err) {
  private static final Path BIN = Path.of("..", "bin").toAbsolutePath().normalize();

  /**
   * Runs a script to its end.
   *
   * @param folder an existing folder for its output
   * @param limit how long it may take; it is ended then
   * @param env variables to set for it, beside those of this process
   * @param command the script's name, and its arguments
   * @throws io.verbena.it.cluster.ClusterException when it takes longer
   */
  public static ScriptRun of(
      Path folder, Duration limit, Map<String, String> env, List<String> command)
      throws IOException, InterruptedException {
    List<String> line = new ArrayList<>(List.of("bash", BIN.resolve(command.get(0)).toString()));
    line.addAll(command.subList(1, command.size()));
    Path out = Files.createTempFile(folder, "out", ".txt");
    Path err = Files.createTempFile(folder, "err", ".txt");
    ProcessBuilder builder =
        new ProcessBuilder(line).redirectOutput(out.toFile()).redirectError(err.toFile());
    builder.environment().putAll(env);
    Process process = builder.start();
    try {
      Await.until("the end of " + line, limit, () -> !process.isAlive());
      return new ScriptRun(process.exitValue(), Files.readString(out), Files.readString(err));
    } finally {
      // First so that it can clean up.
      process.destroy();
      if (!process.waitFor(10, TimeUnit.SECONDS)) {
        process.destroyForcibly();
      }
    }
  }
}
