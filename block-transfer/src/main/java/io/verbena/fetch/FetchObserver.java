package io.verbena.fetch;

/**
 * Learns what a reduce task reads, for Spark's own read metrics. Called on the task's thread alone.
 */
public interface FetchObserver {
  /** Learns nothing: for reads that Spark does not know of. */
  FetchObserver NONE =
      new FetchObserver() {
        @Override
        public void local(long bytes) {}

        @Override
        public void remote(long bytes, String transport) {}

        @Override
        public void block(long mapId, boolean local) {}

        @Override
        public void waited(long nanos) {}
      };

  /** A segment's bytes were taken from this process's own memory or files. */
  void local(long bytes);

  /** A segment's bytes were read from a peer, by any transport. */
  void remote(long bytes, String transport);

  /** A whole block (all its segments) was handed out. */
  void block(long mapId, boolean local);

  /** The task waited for bytes, nanoseconds. Copies by synchronous transports count as waiting. */
  void waited(long nanos);
}
