package io.verbena.fetch;

/**
 * What reading takes, and what it waits for. Times are nanoseconds, added up over all tasks.
 *
 * @param receiveBytes bytes of receive buffers that tasks and READs have now
 * @param receiveHighWater highest {@code receiveBytes} so far
 * @param receiveLimit bytes of receive buffers that reading ahead may take
 * @param waitNanos tasks waited for bytes; READs by synchronous transports count as waiting
 * @param inFlightWaitNanos of this, while the task's limits of what may be in flight let it ask for
 *     no more
 * @param bufferWaitNanos of this, while no receive buffer was to be had to ask for more
 */
public record FlowStats(
    long receiveBytes,
    long receiveHighWater,
    long receiveLimit,
    long waitNanos,
    long inFlightWaitNanos,
    long bufferWaitNanos) {

  /** Figures of a process that has not read. */
  public static final FlowStats NONE = new FlowStats(0, 0, 0, 0, 0, 0);
}
