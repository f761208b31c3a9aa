package io.verbena.it.cluster;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Small text files that another process writes: output and logs. */
public final class TextFile {
  private static final int TAIL_LINES = 30;

  private TextFile() {}

  /** The whole text; empty when the file is not there (yet). */
  static String read(Path file) {
    try {
      return new String(Files.readAllBytes(file), StandardCharsets.UTF_8);
    } catch (NoSuchFileException e) {
      return "";
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The last lines, indented. */
  public static String tail(Path file) {
    List<String> lines = read(file).lines().toList();
    List<String> last = lines.subList(Math.max(0, lines.size() - TAIL_LINES), lines.size());
    return last.isEmpty() ? "    (empty)" : String.join("\n", last).indent(4).stripTrailing();
  }

  /** The first group of the pattern's first match in the file. */
  static Optional<String> find(Path file, Pattern pattern) {
    Matcher matcher = pattern.matcher(read(file));
    return matcher.find() ? Optional.of(matcher.group(1)) : Optional.empty();
  }
}
