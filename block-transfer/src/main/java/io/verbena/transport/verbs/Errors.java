package io.verbena.transport.verbs;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Error numbers of the native library, which end its messages. */
final class Errors {
  private static final Pattern NUMBER = Pattern.compile("\\(errno (\\d+)");

  private Errors() {}

  /** The number that a message tells; 0 for none. */
  static int number(Throwable failure) {
    String message = failure.getMessage();
    Matcher matcher = NUMBER.matcher(message == null ? "" : message);
    return matcher.find() ? Integer.parseInt(matcher.group(1)) : 0;
  }
}
