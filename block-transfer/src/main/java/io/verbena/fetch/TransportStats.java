package io.verbena.fetch;

/**
 * What one one-sided transport has done so far.
 *
 * @param reads READs completed: of blocks, location tables and generation words
 * @param outstanding READs posted and not completed
 * @param open connections to executors that are open
 * @param opened connections that were opened
 * @param unreachable times that no connection to an executor could be made
 * @param broken times that a connection failed in use, and the transport was left for the next
 * @param silent times that a READ was not answered in time, and the transport was left for the next
 */
public record TransportStats(
    long reads,
    long outstanding,
    long open,
    long opened,
    long unreachable,
    long broken,
    long silent) {

  /** Figures of a transport that is not used. */
  public static final TransportStats NONE = new TransportStats(0, 0, 0, 0, 0, 0, 0);
}
