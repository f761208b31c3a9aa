package io.verbena.apps.tpch;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.UncheckedIOException;

/**
 * What one run of a query gave; the application prints each as a line of JSON.
 *
 * @param query {@code q01} to {@code q22}
 * @param adaptive whether adaptive execution was on
 * @param round from 1 on
 * @param seconds from the query's text to all rows on the driver
 * @param rows number of rows
 * @param digest of the rows, sorted
 * @param ordered digest of the rows in their order
 * @param first the first row, to look at
 * @param shuffle what its tasks did
 * @param error why it failed; null when it did not
 */
public record QueryResult(
    String query,
    boolean adaptive,
    int round,
    double seconds,
    long rows,
    String digest,
    String ordered,
    String first,
    ShuffleTotals shuffle,
    String error) {
  private static final ObjectMapper JSON = new ObjectMapper();

  /** The same line again. */
  public static QueryResult parse(String line) {
    try {
      return JSON.readValue(line, QueryResult.class);
    } catch (JsonProcessingException e) {
      throw new UncheckedIOException("not the result of a query: " + line, e);
    }
  }

  String line() {
    try {
      return JSON.writeValueAsString(this);
    } catch (JsonProcessingException e) {
      throw new UncheckedIOException(e);
    }
  }

  QueryResult with(ShuffleTotals totals) {
    return new QueryResult(
        query, adaptive, round, seconds, rows, digest, ordered, first, totals, error);
  }
}
