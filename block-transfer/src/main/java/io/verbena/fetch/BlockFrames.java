package io.verbena.fetch;

import io.verbena.store.ShuffleLease;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;

/**
 * The form of a block on its way through {@link BlockService}: a header, then for each piece of
 * each run a frame of length, flags and checksum and the bytes as they are stored. Compression
 * flags and checks so survive a path that knows nothing of them.
 */
public final class BlockFrames {
  private BlockFrames() {}

  /**
   * Frames a block of this process for sending. Pieces in the pool are not copied: the buffers are
   * valid while the lease is held. Pieces on disk are read into memory.
   *
   * @throws IOException when the map output is not here or its file cannot be read
   */
  public static List<ByteBuffer> encode(
      ShuffleLease lease, int shuffleId, long mapId, int partition) throws IOException {
    return List.of();
  }
}
