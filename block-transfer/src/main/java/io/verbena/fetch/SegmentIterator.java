package io.verbena.fetch;

/**
 * The segments of all wanted blocks, in the order in which they become ready; segments of one block
 * follow each other in order of runs. A block is delivered whole or not at all: its last segment's
 * peer holds all runs of the map output.
 *
 * <p>Threads: the task's thread. Close it when the task ends, also when it is killed: no READ
 * writes into its buffers afterwards.
 */
public interface SegmentIterator extends AutoCloseable {
  /**
   * The next segment, null at the end. Closes the segment given before.
   *
   * @throws FetchException when a map output has to be computed again
   */
  FetchedSegment next() throws FetchException;

  /** Idempotent. */
  @Override
  void close();
}
