package io.verbena.memory;

import java.nio.file.Path;
import java.util.List;
import java.util.UUID;

/**
 * What a pool is opened with; sizes are bytes.
 *
 * @param name distinguishes this process in directory names
 * @param nonce makes it unique
 * @param limit bytes that run data may take; 0 derives it
 * @param memoryHint bytes of the executor's memory overhead, 0 when unknown
 * @param regionSize bytes of one region
 * @param backings what to try, best first
 * @param memoryDirectories directories for memory backings; empty detects mounts
 * @param localDirectories directories on disk
 * @param prefault whether to make the next region before the current one is full
 * @param registered whether regions are registered with a network adapter as they are made
 */
public record PoolSettings(
    String name,
    UUID nonce,
    long limit,
    long memoryHint,
    int regionSize,
    List<Backing> backings,
    List<Path> memoryDirectories,
    List<Path> localDirectories,
    boolean prefault,
    boolean registered) {}
