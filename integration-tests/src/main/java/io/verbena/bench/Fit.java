package io.verbena.bench;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.List;
import java.util.function.ToDoubleFunction;
import org.apache.commons.math3.stat.regression.SimpleRegression;

/**
 * What something costs in all and what each more of something adds: the line of least squares.
 *
 * @param fixed cost where there is none
 * @param each cost of one more
 * @param determination how much of the scatter the line explains, at most 1
 */
record Fit(
    @JsonProperty double fixed, @JsonProperty double each, @JsonProperty double determination) {

  static <T> Fit of(List<T> points, ToDoubleFunction<T> number, ToDoubleFunction<T> cost) {
    SimpleRegression line = new SimpleRegression();
    points.forEach(point -> line.addData(number.applyAsDouble(point), cost.applyAsDouble(point)));
    return new Fit(line.getIntercept(), line.getSlope(), line.getRSquare());
  }

  /** The line's cost of this many. */
  double of(double number) {
    return fixed + each * number;
  }
}
