package io.verbena.bench;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.ArrayList;
import java.util.List;

/**
 * What the scale benchmark has found.
 *
 * @param machine where
 * @param sizes shuffles of one executor, with as many maps as reduces
 * @param executors shuffles of several executors, each with as many map outputs
 * @param perMap time of a reduce task by map outputs, from {@code sizes}; microseconds
 * @param perExecutor time of a reduce task by executors, from {@code executors}; microseconds
 * @param perConnection what a reader's first reduce task takes longer, by executors; microseconds
 */
record ScaleResult(
    @JsonProperty Machine machine,
    @JsonProperty List<ScalePoint> sizes,
    @JsonProperty List<ScalePoint> executors,
    @JsonProperty Fit perMap,
    @JsonProperty Fit perExecutor,
    @JsonProperty Fit perConnection) {

  /**
   * Of several rounds, figure by figure the medians.
   *
   * @param rounds points in the same order in each round
   */
  static ScaleResult of(Machine machine, List<List<ScalePoint>> rounds) {
    List<ScalePoint> points = new ArrayList<>();
    for (int i = 0; i < rounds.get(0).size(); i++) {
      int index = i;
      points.add(median(rounds.stream().map(round -> round.get(index)).toList()));
    }
    List<ScalePoint> sizes = points.stream().filter(each -> each.shape().executors() == 1).toList();
    List<ScalePoint> many = points.stream().filter(each -> each.shape().executors() > 1).toList();
    return new ScaleResult(
        machine,
        sizes,
        many,
        Fit.of(sizes, point -> point.shape().maps(), ScalePoint::reduceMicros),
        Fit.of(many, point -> point.shape().executors(), ScalePoint::reduceMicros),
        Fit.of(
            many,
            point -> point.shape().executors(),
            point -> point.firstMicros() - point.reduceMicros()));
  }

  private static ScalePoint median(List<ScalePoint> rounds) {
    return new ScalePoint(
        rounds.get(0).shape(),
        Stats.median(rounds, ScalePoint::writeNanos),
        Stats.median(rounds, ScalePoint::readNanos),
        Stats.median(rounds, ScalePoint::reduceMicros),
        Stats.median(rounds, ScalePoint::firstMicros),
        Stats.median(rounds, ScalePoint::tableBytes),
        Stats.median(rounds, ScalePoint::reads),
        Stats.median(rounds, ScalePoint::tableReads));
  }
}
