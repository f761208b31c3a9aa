package io.verbena.ping;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;

/**
 * What the two sides have to know. It comes from a variable or a file: anybody on a host can read
 * command lines.
 */
public final class Secrets {
  /** Variable that holds it. */
  public static final String VARIABLE = "VERBENA_PING_SECRET";

  static final String MEND =
      "give both the same one: " + VARIABLE + ", or --secret-file FILE; or none to either";

  private static final byte[] NONE = "no secret".getBytes(StandardCharsets.US_ASCII);

  private Secrets() {}

  /**
   * The secret: of the file, else of the variable, else one that everybody knows.
   *
   * @param file null when none was given
   * @throws IOException when the file cannot be read, or is empty
   */
  public static byte[] read(Path file, Map<String, String> env) throws IOException {
    String text = file == null ? env.get(VARIABLE) : Files.readString(file);
    String secret = text == null ? "" : text.strip();
    if (secret.isEmpty() && text != null) {
      throw new IOException(
          (file == null ? VARIABLE : file) + " is empty: put a secret in, or leave it out");
    }
    return text == null ? NONE.clone() : secret.getBytes(StandardCharsets.UTF_8);
  }

  /** Whether it keeps nobody out. */
  static boolean isNone(byte[] secret) {
    return Arrays.equals(secret, NONE);
  }
}
