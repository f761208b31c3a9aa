package io.verbena.fetch;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;

/**
 * Spark's own block transfer service as a transport of last resort: a peer's executor answers with
 * framed blocks ({@link BlockFrames}).
 */
@FunctionalInterface
public interface BlockService {
  /**
   * Asks for blocks; returns at once. Every block ends in exactly one call of the listener, on a
   * thread of the service.
   */
  void fetch(Peer peer, int shuffleId, List<BlockId> blocks, Listener listener);

  /** Receives framed blocks. */
  interface Listener {
    /**
     * A block has come.
     *
     * @param frames the framed bytes; valid until {@code release} runs
     * @param release gives the memory back; the receiver runs it exactly once
     */
    void received(BlockId block, ByteBuffer frames, Runnable release);

    /** A block could not be had. */
    void failed(BlockId block, IOException cause);
  }
}
