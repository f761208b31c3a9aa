package io.verbena.bench;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToDoubleFunction;

/** What one side did with one workload: a run a round. */
final class JobCell {
  @JsonProperty final JobSide side;
  @JsonProperty final List<Measured> rounds = new ArrayList<>();

  /** Where executors spent CPU time in these rounds; null when nobody asked. */
  @JsonProperty CpuProfile profile;

  JobCell(JobSide side) {
    this.side = side;
  }

  double[] seconds() {
    return values(measured -> measured.run().seconds());
  }

  double[] cpuSeconds() {
    return values(measured -> measured.cpu().total());
  }

  double median(ToDoubleFunction<Measured> figure) {
    return Stats.median(values(figure));
  }

  private double[] values(ToDoubleFunction<Measured> figure) {
    return rounds.stream().mapToDouble(figure).toArray();
  }
}
