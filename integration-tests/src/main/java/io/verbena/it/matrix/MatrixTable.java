package io.verbena.it.matrix;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Rows as a table for people, in Markdown. */
final class MatrixTable {
  private static final List<String> HEADER =
      List.of(
          "Spark",
          "Scala",
          "Java",
          "loaded by",
          "right",
          "problems",
          "seconds",
          "read by",
          "falls");

  private MatrixTable() {}

  static String draw(List<Row> rows) {
    List<List<String>> cells = new ArrayList<>();
    cells.add(HEADER);
    for (Row row : rows) {
      cells.add(
          List.of(
              row.target().spark(),
              row.target().scala(),
              Integer.toString(row.target().java()),
              row.loading().toString(),
              Integer.toString(row.passed()),
              Integer.toString(row.problems().size()),
              String.format(Locale.ROOT, "%.0f", row.seconds()),
              row.transports().isEmpty() ? "nothing" : String.join(", ", row.transports()),
              Long.toString(row.falls())));
    }
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
    for (int column = 0; column < HEADER.size(); column++) {
      line.append(' ').append("-".repeat(width(cells, column))).append(" |");
    }
    return line.toString();
  }

  private static int width(List<List<String>> cells, int column) {
    return cells.stream().mapToInt(row -> row.get(column).length()).max().orElse(0);
  }
}
