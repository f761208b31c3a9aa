package io.verbena.fetch;

import java.util.concurrent.TimeUnit;

/**
 * When a peer's part of a shuffle was last seen alive. Its owner gives memory back to the system
 * that no living shuffle used for a minute, and a READ of it by a network adapter then breaks the
 * connection for everybody. So whoever has not seen the generation word for a third of that time
 * reads the word alone first.
 *
 * <p>Threads: any.
 */
final class Sighting {
  private static final long RECENT_NANOS = TimeUnit.SECONDS.toNanos(20);

  private volatile boolean any;
  private volatile long nanos;

  /** READs that were posted at this time have shown the right generation. */
  void at(long postedNanos) {
    nanos = postedNanos;
    any = true;
  }

  boolean recent() {
    return any && System.nanoTime() - nanos < RECENT_NANOS;
  }

  /** For tests: as if the last time were long ago. */
  void expire() {
    any = false;
  }
}
