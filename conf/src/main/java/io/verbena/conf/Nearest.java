package io.verbena.conf;

import java.util.Collection;
import java.util.Locale;

/** Finds the known word that a mistyped one most likely stands for. */
final class Nearest {

  private Nearest() {}

  /** The candidate with the fewest edits to {@code word}; the first of several equals. */
  static String of(String word, Collection<String> candidates) {
    String best = null;
    int bestDistance = Integer.MAX_VALUE;
    for (String candidate : candidates) {
      int distance = distance(word, candidate);
      if (distance < bestDistance) {
        best = candidate;
        bestDistance = distance;
      }
    }
    return best;
  }

  /**
   * Edits between dotted names in either case. A name without its leading parts counts as one edit
   * more than its last part: {@code regionSize} is near to {@code pool.regionSize}.
   */
  static int distance(String word, String candidate) {
    String a = word.toLowerCase(Locale.ROOT);
    String b = candidate.toLowerCase(Locale.ROOT);
    return Math.min(edits(a, b), edits(lastPart(a), lastPart(b)) + 1);
  }

  private static String lastPart(String name) {
    return name.substring(name.lastIndexOf('.') + 1);
  }

  /** Levenshtein distance: insertions, deletions and replacements of one character. */
  private static int edits(String a, String b) {
    int[] previous = new int[b.length() + 1];
    for (int j = 0; j <= b.length(); j++) {
      previous[j] = j;
    }
    for (int i = 1; i <= a.length(); i++) {
      int[] current = new int[b.length() + 1];
      current[0] = i;
      for (int j = 1; j <= b.length(); j++) {
        int replaced = previous[j - 1] + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
        current[j] = Math.min(replaced, Math.min(previous[j], current[j - 1]) + 1);
      }
      previous = current;
    }
    return previous[b.length()];
  }
}
