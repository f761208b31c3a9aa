package io.verbena.fetch;

/**
 * A block: what one map output holds for one reduce partition.
 *
 * @param mapId task attempt id of the map task
 * @param mapIndex index of the map task in its stage; named in fetch failures
 * @param partition reduce partition
 */
public record BlockId(long mapId, int mapIndex, int partition) {}
