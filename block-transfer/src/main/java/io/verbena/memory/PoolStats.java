package io.verbena.memory;

import java.util.Map;

/**
 * A pool's figures at one moment, bytes.
 *
 * @param used bytes of extents that somebody owns
 * @param usedByTables bytes of these that tables take
 * @param reserved bytes that regions have taken from their backings
 * @param reservedOf bytes of these by backing
 * @param highWater highest {@code reserved} so far
 * @param limit limit of what run data may take
 * @param backing name of the backing of the newest region for run data; {@code none} before the
 *     first
 */
public record PoolStats(
    long used,
    long usedByTables,
    long reserved,
    Map<Backing, Long> reservedOf,
    long highWater,
    long limit,
    String backing) {}
