package io.verbena.it.cluster;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Processes found in {@code /proc} by an environment variable that they inherited. Unlike a walk
 * from parents to children it also finds those whose parent has died.
 */
final class ProcScan {
  /**
   * A process.
   *
   * @param command its command line, word by word
   * @param env its environment when it started
   */
  record Proc(long pid, List<String> command, Map<String, String> env) {
    /** The word after this one on the command line, or an empty string. */
    String option(String name) {
      int at = command.indexOf(name);
      return at >= 0 && at + 1 < command.size() ? command.get(at + 1) : "";
    }
  }

  private ProcScan() {}

  /**
   * Living processes that were started with this environment variable. One that has begun to end
   * has none: to wait for an end, remember process ids and ask {@link #gone}.
   */
  static List<Proc> withEnv(String name, String value) {
    List<Proc> found = new ArrayList<>();
    try (Stream<Path> entries = Files.list(Path.of("/proc"))) {
      for (Path entry : (Iterable<Path>) entries::iterator) {
        String pid = entry.getFileName().toString();
        if (pid.chars().allMatch(Character::isDigit)) {
          Map<String, String> env = environment(entry);
          if (value.equals(env.get(name))) {
            found.add(new Proc(Long.parseLong(pid), words(entry.resolve("cmdline")), env));
          }
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return found;
  }

  /**
   * Whether a process has ended to the last thread, so that its memory, files and locks are free. A
   * zombie that nobody waits for counts as ended; its main thread may be one before the others are.
   */
  static boolean gone(long pid) {
    Path entry = Path.of("/proc", Long.toString(pid));
    try (Stream<Path> threads = Files.list(entry.resolve("task"))) {
      String stat = Files.readString(entry.resolve("stat"));
      // After the program's name, which is in parentheses and may hold anything.
      return stat.startsWith(") Z", stat.lastIndexOf(')')) && threads.count() == 1;
    } catch (IOException | UncheckedIOException e) {
      return true; // The entry has vanished.
    }
  }

  private static Map<String, String> environment(Path entry) {
    return words(entry.resolve("environ")).stream()
        .filter(word -> word.indexOf('=') > 0)
        .collect(
            Collectors.toMap(
                word -> word.substring(0, word.indexOf('=')),
                word -> word.substring(word.indexOf('=') + 1),
                (first, second) -> first));
  }

  private static List<String> words(Path file) {
    try {
      String text = new String(Files.readAllBytes(file), StandardCharsets.UTF_8);
      return List.of(text.split("\0"));
    } catch (IOException e) {
      return List.of(); // It has ended meanwhile, or it is another user's: none of ours.
    }
  }
}
