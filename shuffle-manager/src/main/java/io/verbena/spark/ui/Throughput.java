package io.verbena.spark.ui;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Bytes read so far at some times. When there are too many, every second is dropped and those that
 * follow are kept twice as far apart: the whole time stays, with half the resolution. Sums lose
 * nothing by that, rates would.
 *
 * <p>Threads: the owner sees to it.
 */
final class Throughput {
  static final int MAX_POINTS = 500;

  /**
   * A point in time.
   *
   * @param time milliseconds since 1970
   * @param bytes bytes that all executors have read so far, by transport
   */
  record Point(long time, Map<String, Long> bytes) {}

  private final List<Point> points = new ArrayList<>();
  private long gap;

  void add(long time, Map<String, Long> bytes) {
    int size = points.size();
    if (size > 0 && time <= points.get(size - 1).time()) {
      points.set(size - 1, new Point(points.get(size - 1).time(), Map.copyOf(bytes)));
      return;
    }
    // The newest point always tells how things are now; it makes room when it is too near.
    if (size > 1 && points.get(size - 1).time() - points.get(size - 2).time() < gap) {
      points.remove(size - 1);
    }
    points.add(new Point(time, Map.copyOf(bytes)));
    if (points.size() > MAX_POINTS) {
      halve();
    }
  }

  private void halve() {
    int size = points.size();
    long span = points.get(size - 1).time() - points.get(0).time();
    List<Point> kept = new ArrayList<>();
    for (int i = 0; i < size; i++) {
      if (i % 2 == 0 || i == size - 1) {
        kept.add(points.get(i));
      }
    }
    points.clear();
    points.addAll(kept);
    gap = span / (MAX_POINTS / 2);
  }

  List<Point> points() {
    return List.copyOf(points);
  }
}
