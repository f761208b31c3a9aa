package io.verbena.bench;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.Map;
import java.util.TreeMap;

/** One block size and pass with all sides. */
final class FetchRow {
  @JsonProperty final FetchShape shape;
  @JsonProperty final FetchPass pass;
  @JsonProperty final Map<FetchSide, FetchCell> sides = new TreeMap<>();

  FetchRow(FetchShape shape, FetchPass pass) {
    this.shape = shape;
    this.pass = pass;
  }

  FetchCell cell(FetchSide side) {
    return sides.computeIfAbsent(side, FetchCell::new);
  }

  /** Rates of {@code side} by those of {@code other}, a figure a round. */
  double[] ratios(FetchSide side, FetchSide other) {
    return Stats.ratios(cell(side).rates(), cell(other).rates());
  }
}
