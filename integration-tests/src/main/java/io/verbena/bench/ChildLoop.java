package io.verbena.bench;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;

/**
 * A child process's side of {@link Child}: a command a line on standard input, one answer a line on
 * standard output. Ends when its parent closes the pipe, so that no child outlives it.
 */
final class ChildLoop {
  static final String OK = "@ok ";
  static final String ERROR = "@error ";

  private ChildLoop() {}

  /** Carries out one command; the result is sent as JSON. */
  interface Handler {
    Object handle(String[] words) throws Exception;
  }

  static void run(Handler handler) throws IOException {
    PrintStream out = System.out;
    // What libraries print must not look like an answer.
    System.setOut(System.err);
    run(handler, System.in, out);
  }

  /** The same over other streams. */
  static void run(Handler handler, InputStream commands, PrintStream out) throws IOException {
    BufferedReader in = new BufferedReader(new InputStreamReader(commands, StandardCharsets.UTF_8));
    for (String line = in.readLine(); line != null; line = in.readLine()) {
      out.println(answer(handler, line));
      out.flush();
    }
  }

  private static String answer(Handler handler, String line) {
    try {
      return OK + Json.line(handler.handle(line.split(" ", -1)));
    } catch (Exception e) {
      e.printStackTrace();
      return ERROR + Json.line(String.valueOf(e));
    }
  }
}
