package io.verbena.bench;

/**
 * A shuffle of the scale benchmark.
 *
 * @param executors that hold it, each as many map outputs
 * @param mapsEach map outputs of an executor
 * @param reduces reduce partitions
 * @param blockSize bytes of a block, a multiple of 8
 */
record ScaleShape(int executors, int mapsEach, int reduces, int blockSize) {
  int maps() {
    return executors * mapsEach;
  }

  long blocks() {
    return (long) maps() * reduces;
  }

  /** What one executor has of it. */
  FetchShape each() {
    return new FetchShape(blockSize, mapsEach, reduces);
  }

  String line() {
    return executors == 1
        ? maps() + " by " + reduces
        : executors + " executors, " + maps() + " by " + reduces;
  }
}
