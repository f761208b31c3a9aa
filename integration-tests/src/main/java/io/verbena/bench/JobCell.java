package io.verbena.bench;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToDoubleFunction;

/** What one side did with one load: a run a round. */
final class JobCell {
  @JsonProperty final JobSide side;
  @JsonProperty final List<JobDriver.Measured> rounds = new ArrayList<>();

  JobCell(JobSide side) {
    this.side = side;
  }

  double[] seconds() {
    return values(measured -> measured.run().seconds());
  }

  double median(ToDoubleFunction<JobDriver.Measured> figure) {
    return Stats.median(values(figure));
  }

  private double[] values(ToDoubleFunction<JobDriver.Measured> figure) {
    return rounds.stream().mapToDouble(figure).toArray();
  }
}
