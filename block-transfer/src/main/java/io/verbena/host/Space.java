package io.verbena.host;

/**
 * A file system.
 *
 * @param type as in mount tables
 * @param total bytes
 * @param usable bytes that this process could still take
 * @param blockSize bytes; those of a huge page on hugetlbfs
 */
public record Space(String type, long total, long usable, long blockSize) {}
