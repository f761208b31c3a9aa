package io.verbena.fetch;

import java.util.concurrent.atomic.LongAdder;

/**
 * Counts the READs and connections of one one-sided transport. READs are counted by the list in
 * which they are posted, so that a small block costs nothing of its own.
 *
 * <p>Threads: any.
 */
final class ReadMeter {
  private final boolean on;
  private final LatencyHistogram latency = new LatencyHistogram();
  private final LongAdder reads = new LongAdder();
  private final LongAdder outstanding = new LongAdder();
  private final LongAdder open = new LongAdder();
  private final LongAdder opened = new LongAdder();
  private final LongAdder unreachable = new LongAdder();
  private final LongAdder broken = new LongAdder();
  private final LongAdder silent = new LongAdder();

  ReadMeter(boolean on) {
    this.on = on;
  }

  /** READs are about to be posted. */
  void posted(int count) {
    if (on) {
      outstanding.add(count);
    }
  }

  /** The READs of a list were not posted after all. */
  void refused(int count) {
    if (on) {
      outstanding.add(-count);
    }
  }

  /** All READs of a list that was posted then have completed, well or not. */
  void completed(int count, long postedNanos) {
    if (on) {
      latency.record(System.nanoTime() - postedNanos);
      outstanding.add(-count);
      reads.add(count);
    }
  }

  void connected() {
    open.increment();
    opened.increment();
  }

  void disconnected() {
    open.decrement();
  }

  /** An executor is not read by this transport any more, or not at all. */
  void left(FallKind kind) {
    switch (kind) {
      case UNREACHABLE -> unreachable.increment();
      case BROKEN -> broken.increment();
      case SILENT -> silent.increment();
    }
  }

  LatencyHistogram latency() {
    return latency;
  }

  TransportStats snapshot() {
    return new TransportStats(
        reads.sum(),
        outstanding.sum(),
        open.sum(),
        opened.sum(),
        unreachable.sum(),
        broken.sum(),
        silent.sum());
  }
}
