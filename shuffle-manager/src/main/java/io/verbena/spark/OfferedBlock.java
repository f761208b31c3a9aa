package io.verbena.spark;

import io.netty.buffer.ByteBuf;
import io.verbena.fetch.BlockFrames;
import io.verbena.store.ShuffleLease;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import org.apache.spark.storage.ShuffleBlockId;

/**
 * A framed block that Spark's block transfer service was asked for. It holds nothing until its
 * bytes are about to be sent: Spark makes the blocks of a whole request first and releases none of
 * them when one is missing, and its encoder for SSL never releases the block that it has sent. The
 * lease is bound to the buffer that goes out, which Netty releases whatever becomes of it.
 *
 * <p>Threads: any.
 */
final class OfferedBlock extends UncountedBuffer {
  private final ShuffleBlockId id;
  private final Leases leases;
  private final long size;

  /**
   * Offers a block that is here now.
   *
   * @throws IOException when it is not
   */
  OfferedBlock(ShuffleBlockId id, Leases leases) throws IOException {
    this.id = id;
    this.leases = leases;
    try (ShuffleLease lease = leases.take(id.shuffleId())) {
      size = BlockFrames.size(lease, id.shuffleId(), id.mapId(), id.reduceId());
    }
  }

  /** The framed bytes, which end their lease when they are released. */
  private ByteBuf frames() throws IOException {
    ByteBuf frames =
        FramedBlock.of(leases.take(id.shuffleId()), id.shuffleId(), id.mapId(), id.reduceId());
    if (frames.readableBytes() != size) {
      int now = frames.readableBytes();
      frames.release();
      throw new IOException(id + " had " + size + " bytes when it was asked for, now " + now);
    }
    return frames;
  }

  @Override
  public long size() {
    return size;
  }

  @Override
  public Object convertToNetty() throws IOException {
    return frames();
  }

  @Override
  public Object convertToNettyForSsl() throws IOException {
    return frames();
  }

  @Override
  public ByteBuffer nioByteBuffer() throws IOException {
    return ByteBuffer.wrap(copy());
  }

  @Override
  public InputStream createInputStream() throws IOException {
    return new ByteArrayInputStream(copy());
  }

  private byte[] copy() throws IOException {
    ByteBuf frames = frames();
    try {
      byte[] bytes = new byte[frames.readableBytes()];
      frames.readBytes(bytes);
      return bytes;
    } finally {
      frames.release();
    }
  }

  @Override
  public String toString() {
    return id + " (" + size + " bytes with frames)";
  }
}
