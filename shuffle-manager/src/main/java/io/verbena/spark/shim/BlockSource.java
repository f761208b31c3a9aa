package io.verbena.spark.shim;

import org.apache.spark.network.buffer.ManagedBuffer;
import org.apache.spark.storage.BlockId;

/** Where a resolver gets blocks from. */
@FunctionalInterface
public interface BlockSource {
  /**
   * A block of this executor, framed. The caller releases the buffer.
   *
   * @throws IllegalStateException when the block is not here
   */
  ManagedBuffer block(BlockId id);
}
