package io.verbena.transport.verbs;

/**
 * What a process uses of its RDMA device at one moment.
 *
 * @param registeredBytes bytes of memory that is registered with the device
 * @param memoryRegions memory regions that are registered
 * @param queuePairs queue pairs by which this process reads others
 * @param servingQueuePairs queue pairs by which others read this process
 * @param workRequests work requests posted for READs so far
 */
public record VerbsStats(
    long registeredBytes,
    long memoryRegions,
    long queuePairs,
    long servingQueuePairs,
    long workRequests) {

  /** Figures of a process that uses no device. */
  public static final VerbsStats NONE = new VerbsStats(0, 0, 0, 0, 0);
}
