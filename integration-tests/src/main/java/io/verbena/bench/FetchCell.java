package io.verbena.bench;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.ArrayList;
import java.util.List;

/** What one side did at one block size in one pass: a figure a round. */
final class FetchCell {
  private static final double GIB = 1L << 30;

  @JsonProperty final FetchSide side;
  @JsonProperty final List<Double> gigabytesPerSecond = new ArrayList<>();
  @JsonProperty final List<Double> readerCpuSecondsPerGib = new ArrayList<>();
  @JsonProperty final List<Double> serverCpuSecondsPerGib = new ArrayList<>();

  FetchCell(FetchSide side) {
    this.side = side;
  }

  void add(FetchReader.Round round, double serverCpuSeconds) {
    double gib = round.bytes() / GIB;
    gigabytesPerSecond.add(round.bytes() / (double) round.nanos());
    readerCpuSecondsPerGib.add(round.cpuSeconds() / gib);
    serverCpuSecondsPerGib.add(serverCpuSeconds / gib);
  }

  double[] rates() {
    return array(gigabytesPerSecond);
  }

  double medianRate() {
    return Stats.median(rates());
  }

  double medianReaderCpu() {
    return Stats.median(array(readerCpuSecondsPerGib));
  }

  /** Mean, not median: rounds are shorter than what a process does now and then. */
  double meanServerCpu() {
    return serverCpuSecondsPerGib.stream().mapToDouble(Double::doubleValue).average().orElse(0);
  }

  private static double[] array(List<Double> values) {
    return values.stream().mapToDouble(Double::doubleValue).toArray();
  }
}
