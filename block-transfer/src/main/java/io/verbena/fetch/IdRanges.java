package io.verbena.fetch;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.TreeSet;

/**
 * Ids of executors as short text: {@code "0-4,7,driver"}. Spark counts its executors, so that a
 * peer for each of a thousand of them mostly is one range.
 */
public final class IdRanges {
  private static final int MOST_DIGITS = 9;

  private IdRanges() {}

  /** Numbers in ascending order, neighbours as a range, then what is no number. */
  public static String text(Collection<String> ids) {
    TreeSet<Integer> numbers = new TreeSet<>();
    TreeSet<String> names = new TreeSet<>();
    for (String id : ids) {
      if (isNumber(id)) {
        numbers.add(Integer.valueOf(id));
      } else {
        names.add(id);
      }
    }
    List<String> parts = new ArrayList<>();
    while (!numbers.isEmpty()) {
      int first = numbers.pollFirst();
      int last = first;
      while (numbers.remove(last + 1)) {
        last++;
      }
      parts.add(first == last ? Integer.toString(first) : first + "-" + last);
    }
    parts.addAll(names);
    return String.join(",", parts);
  }

  /**
   * The ids of a text.
   *
   * @param most ids at most; what is beyond is left out, for a text may come from anywhere
   */
  public static List<String> ids(String text, int most) {
    List<String> ids = new ArrayList<>();
    for (String part : text.split(",", -1)) {
      int dash = part.indexOf('-');
      boolean range =
          dash > 0 && isNumber(part.substring(0, dash)) && isNumber(part.substring(dash + 1));
      if (range) {
        int last = Integer.parseInt(part.substring(dash + 1));
        for (int id = Integer.parseInt(part.substring(0, dash));
            id <= last && ids.size() < most;
            id++) {
          ids.add(Integer.toString(id));
        }
      } else if (!part.isEmpty() && ids.size() < most) {
        ids.add(part);
      }
    }
    return ids;
  }

  /** Written as {@link Integer#toString} would. */
  private static boolean isNumber(String id) {
    return !id.isEmpty()
        && id.length() <= MOST_DIGITS
        && id.chars().allMatch(c -> c >= '0' && c <= '9')
        && (id.length() == 1 || id.charAt(0) != '0');
  }
}
