package io.verbena.bench;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.Map;
import java.util.TreeMap;

/** One load with all sides. */
final class JobRow {
  @JsonProperty final JobLoad load;
  @JsonProperty final int reduces;
  @JsonProperty final Map<JobSide, JobCell> sides = new TreeMap<>();

  JobRow(JobLoad load, int reduces) {
    this.load = load;
    this.reduces = reduces;
  }

  JobCell cell(JobSide side) {
    return sides.computeIfAbsent(side, JobCell::new);
  }

  /** Times of {@code side} by those of {@code other}, a figure a round: below 1 is faster. */
  double[] ratios(JobSide side, JobSide other) {
    return Stats.ratios(cell(side).seconds(), cell(other).seconds());
  }
}
