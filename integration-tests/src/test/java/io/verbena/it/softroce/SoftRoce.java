package io.verbena.it.softroce;

import static org.assertj.core.api.Assumptions.assumeThat;

import io.verbena.it.ScriptRun;
import io.verbena.it.cluster.AppSpec;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Runs commands in virtual machines that have Soft-RoCE devices. */
public final class SoftRoce {
  private static final int SOMETHING_IS_MISSING = 69;

  private SoftRoce() {}

  /** The start of a command line that runs this JVM's Java in a machine, where starts are dear. */
  static List<String> java() {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(AppSpec.QUICK_START);
    return command;
  }

  /**
   * Runs {@code bin/soft-roce} and returns when its machines have ended. Skips the calling test
   * where the machine lacks something that only root could install.
   *
   * @param folder an existing folder for its output
   * @param limit deadline for booting and running, in whole seconds
   * @param command {@code run} or {@code pair}
   * @param arguments further options, and what to run
   */
  public static ScriptRun boot(Path folder, Duration limit, String command, String... arguments)
      throws IOException, InterruptedException {
    List<String> line = new ArrayList<>(List.of("soft-roce", command));
    line.addAll(List.of("--limit", Long.toString(limit.toSeconds())));
    line.addAll(List.of(arguments));
    // The script itself ends a machine half a minute after its deadline; the rest is for fetching.
    ScriptRun ended = ScriptRun.of(folder, limit.plusMinutes(5), Map.of(), line);
    if (!System.getProperty("user.name").equals("root")) {
      assumeThat(ended.code()).as(ended.err()).isNotEqualTo(SOMETHING_IS_MISSING);
    }
    return ended;
  }
}
