package io.verbena.fetch;

import java.io.IOException;

/**
 * A block cannot be had and its map output has to be computed again. The message names block,
 * executor, transport and cause.
 */
public final class FetchException extends IOException {
  private static final long serialVersionUID = 1L;

  private final transient Peer peer;
  private final transient BlockId block;
  private final String transport;

  public FetchException(
      Peer peer, int shuffleId, BlockId block, String transport, String message, Throwable cause) {
    super(
        "shuffle "
            + shuffleId
            + " map "
            + block.mapId()
            + " (index "
            + block.mapIndex()
            + ") partition "
            + block.partition()
            + " from "
            + peer
            + " by "
            + transport
            + ": "
            + message,
        cause);
    this.peer = peer;
    this.block = block;
    this.transport = transport;
  }

  public Peer peer() {
    return peer;
  }

  public BlockId block() {
    return block;
  }

  public String transport() {
    return transport;
  }
}
