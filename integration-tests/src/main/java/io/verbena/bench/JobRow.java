package io.verbena.bench;

import com.fasterxml.jackson.annotation.JsonProperty;
import io.verbena.bench.work.Size;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** One workload with all sides. */
final class JobRow {
  @JsonProperty final String workload;
  @JsonProperty final Size size;
  @JsonProperty final Map<JobSide, JobCell> sides = new TreeMap<>();

  JobRow(String workload, Size size) {
    this.workload = workload;
    this.size = size;
  }

  /**
   * This shuffle beside one opponent: below 1 is faster, or takes less.
   *
   * @param opponent the other side
   * @param time ratios of the times of the same round
   * @param cpu ratios of the CPU seconds of all processes in the same round
   */
  record Comparison(JobSide opponent, MedianBounds time, MedianBounds cpu) {}

  JobCell cell(JobSide side) {
    return sides.computeIfAbsent(side, JobCell::new);
  }

  /** With every opponent that ran; none when this shuffle did not. */
  @JsonProperty
  List<Comparison> comparisons() {
    List<Comparison> comparisons = new ArrayList<>();
    JobCell own = sides.get(JobSide.VERBENA);
    if (own != null) {
      for (JobCell other : sides.values()) {
        if (other != own) {
          comparisons.add(
              new Comparison(
                  other.side,
                  MedianBounds.of(Stats.ratios(own.seconds(), other.seconds())),
                  MedianBounds.of(Stats.ratios(own.cpuSeconds(), other.cpuSeconds()))));
        }
      }
    }
    return comparisons;
  }

  /** Name for people: with the number of reduces, since one workload may be run with several. */
  String title() {
    return workload + ", " + size.reduces() + " reduces";
  }
}
