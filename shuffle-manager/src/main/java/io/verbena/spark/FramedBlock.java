package io.verbena.spark;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.CompositeByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.buffer.UnpooledByteBufAllocator;
import io.verbena.fetch.BlockFrames;
import io.verbena.store.ShuffleLease;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;

/**
 * A framed block on its way out through Spark's block transfer service: views on the pool, without
 * a copy. The lease that keeps them valid ends with the last reference to the buffer.
 */
final class FramedBlock extends CompositeByteBuf {
  private final ShuffleLease lease;

  private FramedBlock(ShuffleLease lease, List<ByteBuffer> frames) {
    super(UnpooledByteBufAllocator.DEFAULT, true, Math.max(2, frames.size()));
    this.lease = lease;
    for (ByteBuffer frame : frames) {
      addComponent(true, Unpooled.wrappedBuffer(frame));
    }
  }

  /** Takes the lease over, also when it fails. */
  static ByteBuf of(ShuffleLease lease, int shuffleId, long mapId, int partition)
      throws IOException {
    try {
      return new FramedBlock(lease, BlockFrames.encode(lease, shuffleId, mapId, partition));
    } catch (IOException | RuntimeException e) {
      lease.close();
      throw e;
    }
  }

  @Override
  protected void deallocate() {
    try {
      super.deallocate();
    } finally {
      lease.close();
    }
  }
}
