package io.verbena.it.libraries;

import io.verbena.bench.work.Mix;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The stream's events, which follow from their numbers, and what their aggregation must give. Each
 * batch is {@value #FILES} files and brings 5 s; some events are late, and some of these too late.
 */
public final class Events {
  static final int FILES = 2;
  static final int WINDOW_SECONDS = 10;
  static final int DELAY_SECONDS = 20;

  private static final int MILLIS = 1_000;
  private static final int KEYS = 50;
  private static final int BATCH_MILLIS = 5 * MILLIS;
  private static final long FIRST = 1_700_000_000_000L;

  /** One event. */
  private record Event(long millis, long key, long value) {}

  /** What groups events. */
  private record Group(long window, long key) implements Comparable<Group> {
    private long end() {
      return window + WINDOW_SECONDS * MILLIS;
    }

    @Override
    public int compareTo(Group other) {
      return window == other.window
          ? Long.compare(key, other.key)
          : Long.compare(window, other.window);
    }
  }

  /** What is known of a group. */
  private record Totals(long count, long sum, long max) {
    private Totals plus(long value) {
      return new Totals(count + 1, sum + value, Math.max(max, value));
    }
  }

  private Events() {}

  private static List<Event> file(int batch, int file, int rows) {
    List<Event> events = new ArrayList<>();
    for (int row = 0; row < rows; row++) {
      long mixed = Mix.mix(((long) batch * FILES + file) * rows + row + 1);
      long late = row % 37 == 1 ? 60L * MILLIS : row % 16 == 1 ? 15L * MILLIS : 0;
      events.add(
          new Event(
              FIRST
                  + (long) batch * BATCH_MILLIS
                  + Long.remainderUnsigned(mixed, BATCH_MILLIS)
                  - late,
              row % KEYS,
              Long.remainderUnsigned(mixed >>> 20, 1_000)));
    }
    return events;
  }

  /** Writes all files; the order in which Spark takes them is that of their times. */
  static void write(Path folder, Scale scale) throws IOException {
    Files.createDirectories(folder);
    for (int batch = 0; batch < scale.batches(); batch++) {
      for (int file = 0; file < FILES; file++) {
        StringBuilder lines = new StringBuilder();
        for (Event event : file(batch, file, scale.fileRows())) {
          lines.append(event.millis).append(',').append(event.key).append(',');
          lines.append(event.value).append('\n');
        }
        int number = batch * FILES + file;
        Path path = folder.resolve("events-%05d.csv".formatted(number));
        Files.writeString(path, lines);
        Files.setLastModifiedTime(path, FileTime.fromMillis(FIRST + (long) number * MILLIS));
      }
    }
  }

  /**
   * What each batch must give: its groups that have changed, as {@code WINDOW:KEY:COUNT:SUM:MAX} in
   * order, and how many groups are still open after it.
   */
  public static List<String> expected(Scale scale) {
    List<String> batches = new ArrayList<>();
    Map<Group, Totals> open = new TreeMap<>();
    long before = 0;
    long watermark = 0;
    for (int batch = 0; batch < scale.batches(); batch++) {
      Map<Group, Totals> changed = new TreeMap<>();
      long newest = 0;
      for (int file = 0; file < FILES; file++) {
        for (Event event : file(batch, file, scale.fileRows())) {
          newest = Math.max(newest, event.millis);
          long window = event.millis - event.millis % (WINDOW_SECONDS * MILLIS);
          Group group = new Group(window, event.key);
          // Spark drops what the watermark of the batch before has closed.
          if (group.end() > before) {
            Totals totals = open.getOrDefault(group, new Totals(0, 0, 0)).plus(event.value);
            open.put(group, totals);
            changed.put(group, totals);
          }
        }
      }
      long closed = watermark;
      open.keySet().removeIf(group -> group.end() <= closed);
      batches.add(text(changed) + " open=" + open.size());
      before = watermark;
      watermark = Math.max(watermark, newest - DELAY_SECONDS * MILLIS);
    }
    return batches;
  }

  private static String text(Map<Group, Totals> groups) {
    List<String> texts = new ArrayList<>();
    groups.forEach(
        (group, totals) ->
            texts.add(
                "%d:%d:%d:%d:%d"
                    .formatted(group.window, group.key, totals.count, totals.sum, totals.max)));
    return String.join(" ", texts);
  }
}
