package io.verbena.it.matrix;

import io.verbena.it.MarkdownTable;
import java.util.List;
import java.util.Locale;

/** Rows as a table for people. */
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
    return MarkdownTable.draw(HEADER, rows.stream().map(MatrixTable::cells).toList());
  }

  private static List<String> cells(Row row) {
    return List.of(
        row.target().spark(),
        row.target().scala(),
        Integer.toString(row.target().java()),
        row.loading().toString(),
        Integer.toString(row.passed()),
        Integer.toString(row.problems().size()),
        String.format(Locale.ROOT, "%.0f", row.seconds()),
        row.transports().isEmpty() ? "nothing" : String.join(", ", row.transports()),
        Long.toString(row.falls()));
  }
}
