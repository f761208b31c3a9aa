package io.verbena.bench;

import com.fasterxml.jackson.annotation.JsonProperty;

/**
 * What a shuffle of one shape costs. Times are medians over repetitions.
 *
 * @param shape the shape
 * @param writeNanos of a block, from the first byte until its map output is published
 * @param readNanos of a block, in any reduce task but a reader's first
 * @param reduceMicros of such a reduce task
 * @param firstMicros of a reader's first reduce task, which opens all connections
 * @param tableBytes of a block
 * @param reads READs of a reduce task: of blocks, location tables and generation words
 * @param tableReads READs of a reduce task of location tables
 */
record ScalePoint(
    @JsonProperty ScaleShape shape,
    @JsonProperty double writeNanos,
    @JsonProperty double readNanos,
    @JsonProperty double reduceMicros,
    @JsonProperty double firstMicros,
    @JsonProperty double tableBytes,
    @JsonProperty double reads,
    @JsonProperty double tableReads) {}
