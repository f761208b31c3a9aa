package io.verbena.log;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** What this process logs from now until it is closed: the tests' log goes to standard error. */
public final class CapturedLog implements AutoCloseable {
  private final PrintStream before = System.err;
  private final ByteArrayOutputStream log = new ByteArrayOutputStream();

  public CapturedLog() {
    System.setErr(new PrintStream(log, true, StandardCharsets.UTF_8));
  }

  public String text() {
    return log.toString(StandardCharsets.UTF_8);
  }

  /** Lines that contain a text. */
  public List<String> lines(String part) {
    return text().lines().filter(line -> line.contains(part)).toList();
  }

  @Override
  public void close() {
    System.setErr(before);
  }
}
