package io.verbena.spark;

import io.netty.handler.stream.ChunkedStream;
import io.verbena.migration.DepartingMapOutput;
import io.verbena.store.ShuffleLease;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.WritableByteChannel;
import org.apache.spark.network.util.AbstractFileRegion;

/**
 * A map output that Spark uploads to another executor. It holds nothing until its bytes are about
 * to be sent, and then a lease on the shuffle, which ends when Netty lets go of what it sends. The
 * bytes are made while they are sent, so a map output may be larger than any buffer.
 *
 * <p>Threads: any.
 */
final class MigratedMapOutput extends UncountedBuffer {
  /** Longest write at once, so that other connections of the thread get on. */
  private static final int CHUNK = 256 << 10;

  private final int shuffleId;
  private final long mapId;
  private final Leases leases;
  private final long size;

  /**
   * Offers a map output that is here now.
   *
   * @throws IOException when it is not, or its location table is broken
   */
  MigratedMapOutput(int shuffleId, long mapId, Leases leases) throws IOException {
    this.shuffleId = shuffleId;
    this.mapId = mapId;
    this.leases = leases;
    try (ShuffleLease lease = leases.take(shuffleId)) {
      this.size = DepartingMapOutput.size(lease, shuffleId, mapId);
    }
  }

  private DepartingMapOutput depart() throws IOException {
    DepartingMapOutput departing = new DepartingMapOutput(leases.take(shuffleId), shuffleId, mapId);
    if (departing.size() != size) {
      departing.close();
      throw new IOException(
          "%s has %d bytes when it is sent, announced were %d"
              .formatted(this, departing.size(), size));
    }
    return departing;
  }

  @Override
  public long size() {
    return size;
  }

  @Override
  public Object convertToNetty() throws IOException {
    return new Region(depart());
  }

  @Override
  public Object convertToNettyForSsl() throws IOException {
    return new ChunkedStream(depart(), CHUNK);
  }

  @Override
  public InputStream createInputStream() throws IOException {
    return depart();
  }

  @Override
  public ByteBuffer nioByteBuffer() throws IOException {
    try (DepartingMapOutput departing = depart()) {
      return ByteBuffer.wrap(departing.readNBytes(Math.toIntExact(size)));
    }
  }

  @Override
  public String toString() {
    return "map " + mapId + " of shuffle " + shuffleId + " on its way (" + size + " bytes)";
  }

  /** What Netty writes to a connection. */
  private static final class Region extends AbstractFileRegion {
    private final DepartingMapOutput departing;
    private long transferred;

    Region(DepartingMapOutput departing) {
      this.departing = departing;
    }

    @Override
    public long position() {
      return 0;
    }

    @Override
    public long transferred() {
      return transferred;
    }

    @Override
    public long count() {
      return departing.size();
    }

    @Override
    public long transferTo(WritableByteChannel target, long position) throws IOException {
      if (position != transferred) {
        throw new IllegalArgumentException(
            "position=" + position + ": bytes come once, next is " + transferred);
      }
      long before = transferred;
      boolean all = true;
      while (all && transferred - before < CHUNK) {
        ByteBuffer bytes = departing.bytes();
        if (!bytes.hasRemaining()) {
          break;
        }
        transferred += target.write(bytes);
        all = !bytes.hasRemaining();
      }
      return transferred - before;
    }

    @Override
    protected void deallocate() {
      try {
        departing.close();
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }
}
