package io.verbena.fetch;

/**
 * What one task has asked for and not consumed. The first request is always admitted, so that a
 * block larger than the limit is fetched when it is alone.
 *
 * <p>Threads: the task's.
 */
final class Budget {
  private final long maxBytes;
  private final int maxRequests;
  private long bytes;
  private int requests;

  Budget(FetchLimits limits) {
    this.maxBytes = limits.maxBytesInFlight();
    this.maxRequests = limits.maxRequestsInFlight();
  }

  boolean admits(long moreBytes, int moreRequests) {
    return unused() || (moreBytes <= maxBytes - bytes && moreRequests <= maxRequests - requests);
  }

  /** Whether nothing is asked for. */
  boolean unused() {
    return bytes == 0 && requests == 0;
  }

  void take(long moreBytes, int moreRequests) {
    bytes += moreBytes;
    requests += moreRequests;
  }

  void give(long fewerBytes, int fewerRequests) {
    bytes -= fewerBytes;
    requests -= fewerRequests;
  }

  /** Bytes that one request should have, so that several peers are asked at a time. */
  long target() {
    return Math.max(1, maxBytes / 5);
  }
}
