package io.verbena.bench;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/**
 * Where a side's executors spent CPU time.
 *
 * @param seconds of a run, by use
 */
record CpuProfile(@JsonProperty Map<CpuUse, Double> seconds) {
  /**
   * Reads collapsed stacks: a line for each different one, {@code [THREAD tid=1];FRAME;FRAME
   * COUNT}, outermost first.
   *
   * @param secondsOfSample what a sample stands for, divided by the number of runs
   */
  static CpuProfile of(List<String> stacks, double secondsOfSample) {
    Map<CpuUse, Double> seconds = new EnumMap<>(CpuUse.class);
    for (String line : stacks) {
      int count = line.lastIndexOf(' ');
      List<String> frames = Arrays.asList(line.substring(0, count).split(";", -1));
      String thread = frames.get(0).startsWith("[") ? frames.get(0).substring(1) : frames.get(0);
      seconds.merge(
          CpuUse.of(thread, frames.subList(1, frames.size())),
          Long.parseLong(line.substring(count + 1)) * secondsOfSample,
          Double::sum);
    }
    return new CpuProfile(seconds);
  }

  double of(CpuUse use) {
    return seconds.getOrDefault(use, 0.0);
  }

  double total() {
    return seconds.values().stream().mapToDouble(Double::doubleValue).sum();
  }
}
