package io.verbena.store;

/**
 * Where one executor's part of a shuffle lies.
 *
 * @param shuffleId the shuffle
 * @param partitions number of reduce partitions
 * @param generation value of the generation word while this description holds
 * @param word index of the generation word in the control area
 * @param directoryRegion region of the first directory block
 * @param directoryOffset its offset in the region, bytes
 */
public record ShuffleDescriptor(
    int shuffleId,
    int partitions,
    long generation,
    int word,
    int directoryRegion,
    int directoryOffset) {}
