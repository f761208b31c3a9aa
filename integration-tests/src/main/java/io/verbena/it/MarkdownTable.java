package io.verbena.it;

import java.util.ArrayList;
import java.util.List;

/** Cells as a table for people, in Markdown, with columns as wide as their widest cell. */
public final class MarkdownTable {
  private MarkdownTable() {}

  /** The table as lines without a last line break; every row has as many cells as the header. */
  public static String draw(List<String> header, List<List<String>> rows) {
    List<List<String>> cells = new ArrayList<>();
    cells.add(header);
    cells.addAll(rows);
    List<String> lines = new ArrayList<>();
    for (List<String> row : cells) {
      StringBuilder line = new StringBuilder("|");
      for (int column = 0; column < row.size(); column++) {
        String text = row.get(column);
        line.append(' ').append(text).append(" ".repeat(width(cells, column) - text.length()));
        line.append(" |");
      }
      lines.add(line.toString());
    }
    lines.add(1, separator(cells));
    return String.join("\n", lines);
  }

  private static String separator(List<List<String>> cells) {
    StringBuilder line = new StringBuilder("|");
    for (int column = 0; column < cells.get(0).size(); column++) {
      line.append(' ').append("-".repeat(width(cells, column))).append(" |");
    }
    return line.toString();
  }

  private static int width(List<List<String>> cells, int column) {
    return cells.stream().mapToInt(row -> row.get(column).length()).max().orElse(0);
  }
}
