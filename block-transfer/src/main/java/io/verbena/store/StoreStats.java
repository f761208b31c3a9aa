package io.verbena.store;

import java.util.Map;

/**
 * A store's figures at one moment. Sizes are bytes.
 *
 * @param poolBytes bytes of extents in use for runs and location tables
 * @param tableBytes bytes of these that location tables take
 * @param poolReserved bytes that all regions have taken from their backings
 * @param reservedOf bytes of these by name of the backing, where there are any
 * @param poolHighWater highest {@code poolReserved} so far
 * @param poolLimit limit of the memory backings
 * @param backing name of the backing that the newest memory region uses; {@code none} before the
 *     first
 * @param runsInPool runs published so far that lie in the pool as a whole
 * @param runsOnDisk runs published so far of which at least one piece lies on disk
 * @param diskBytes bytes of run files alive
 */
public record StoreStats(
    long poolBytes,
    long tableBytes,
    long poolReserved,
    Map<String, Long> reservedOf,
    long poolHighWater,
    long poolLimit,
    String backing,
    long runsInPool,
    long runsOnDisk,
    long diskBytes) {

  /** Figures of a process that has no store. */
  public static final StoreStats NONE = new StoreStats(0, 0, 0, Map.of(), 0, 0, "none", 0, 0, 0);
}
