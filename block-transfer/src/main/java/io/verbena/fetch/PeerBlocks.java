package io.verbena.fetch;

import java.util.List;

/**
 * The blocks wanted from one executor, none of them empty.
 *
 * @param peer the executor
 * @param blocks the blocks
 * @param bytes estimated bytes of all of them
 */
public record PeerBlocks(Peer peer, List<BlockId> blocks, long bytes) {}
