package io.verbena.fetch;

/**
 * The blocks of one peer by one way. Blocks come whole, their segments one after another.
 *
 * <p>Threads: the task's.
 */
abstract class BlockSource {
  /** How a request for more ended. */
  enum Ask {
    /** Something was asked for; more may be. */
    ASKED,
    /** The task's budget has no room now. */
    NO_BUDGET,
    /** There is no receive buffer to be had now. */
    NO_BUFFER,
    /** This peer has enough to do; ask again once something of it was consumed. */
    LATER,
    /** Everything was asked for. */
    NO_MORE
  }

  /** Whether {@link #next} fetches by itself; otherwise {@link #request} does. */
  abstract boolean synchronous();

  /** Asks for more. {@code urgent}: the task cannot go on without, whatever the limits say. */
  abstract Ask request(boolean urgent) throws FetchException;

  /** Whether {@link #next} has something to say without waiting. */
  abstract boolean ready();

  /** The next segment, null when there is none (now, or at the end). */
  abstract Segment next() throws FetchException;

  /** Whether segments of the block given last are still to come. */
  abstract boolean midBlock();

  /** Whether all was handed out. */
  abstract boolean finished();

  /** Whether something was asked for that has not come. */
  abstract boolean outstanding();

  /** Nothing came in time. */
  abstract void timedOut() throws FetchException;

  /** Gives everything back. Idempotent. */
  abstract void close();
}
