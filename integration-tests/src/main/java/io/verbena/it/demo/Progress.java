package io.verbena.it.demo;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Shows how an application gets on, read off its driver's log: a line per finished stage, and on a
 * terminal also the tasks of the one that runs.
 */
final class Progress {
  private static final Pattern TASK =
      Pattern.compile("Finished task \\S+ in stage (\\S+) .*\\((\\d+)/(\\d+)\\)");
  private static final Pattern STAGE =
      Pattern.compile("DAGScheduler: \\w+ (\\d+) \\((.+?)\\) finished in (.+)");
  private static final Pattern LOST =
      Pattern.compile("(?:WARN|ERROR) \\S+: (Lost (?:task|executor) .*)");
  private static final long POLL_MILLIS = 100;
  private static final int LINE = 78;

  private final PrintWriter out;
  private final boolean terminal;
  private long position;
  private String rest = "";
  private boolean statusShown;

  Progress(PrintWriter out, boolean terminal) {
    this.out = out;
    this.terminal = terminal;
  }

  /** Follows an application until it has ended. Its driver's log may not be there yet. */
  void follow(BooleanSupplier running, Path log) throws InterruptedException, IOException {
    boolean alive;
    do {
      alive = running.getAsBoolean(); // First, so that its last words are read.
      newLines(log).forEach(this::show);
      Thread.sleep(alive ? POLL_MILLIS : 0);
    } while (alive);
    status("");
  }

  private List<String> newLines(Path file) throws IOException {
    List<String> lines = new ArrayList<>();
    if (Files.exists(file)) {
      try (var log = Files.newInputStream(file)) {
        log.skipNBytes(position);
        byte[] bytes = log.readAllBytes();
        position += bytes.length;
        // A character cut in two becomes a question mark: for a progress line good enough.
        String text = rest + new String(bytes, StandardCharsets.UTF_8);
        int end = text.lastIndexOf('\n') + 1;
        rest = text.substring(end);
        text.substring(0, end).lines().forEach(lines::add);
      }
    }
    return lines;
  }

  void show(String line) {
    Matcher stage = STAGE.matcher(line);
    Matcher lost = LOST.matcher(line);
    Matcher task = TASK.matcher(line);
    if (stage.find()) {
      say("  stage %s done in %s: %s".formatted(stage.group(1), stage.group(3), stage.group(2)));
    } else if (lost.find()) {
      say("  " + lost.group(1));
    } else if (task.find()) {
      status("  stage %s: %s of %s tasks".formatted(task.group(1), task.group(2), task.group(3)));
    }
  }

  private void say(String line) {
    status("");
    out.println(line);
  }

  private void status(String line) {
    if (terminal && (statusShown || !line.isEmpty())) {
      out.print("\r" + " ".repeat(LINE) + "\r" + line);
      out.flush();
      statusShown = !line.isEmpty();
    }
  }
}
