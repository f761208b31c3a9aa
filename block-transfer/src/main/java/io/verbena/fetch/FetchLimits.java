package io.verbena.fetch;

import java.time.Duration;

/**
 * Bounds of one reduce task's reading.
 *
 * @param maxBytesInFlight bytes asked for and not yet consumed, over all peers (Spark's {@code
 *     spark.reducer.maxSizeInFlight})
 * @param maxRequestsInFlight requests of the same kind ({@code maxReqsInFlight})
 * @param maxBlocksPerPeer blocks asked of one peer at a time ({@code maxBlocksInFlightPerAddress})
 * @param timeout longest wait for one READ or one answer
 */
public record FetchLimits(
    long maxBytesInFlight, int maxRequestsInFlight, int maxBlocksPerPeer, Duration timeout) {}
