package io.verbena.fetch;

import io.verbena.store.LocalSegment;
import io.verbena.store.ShuffleLease;
import io.verbena.table.Entry;
import io.verbena.transport.PositionFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.CRC32C;

/**
 * The form of a block on its way through {@link BlockService}: a header, then for each piece of
 * each run a frame of length, flags and checksum and the bytes as they are stored. Compression
 * flags and checks so survive a path that knows nothing of them. Big-endian.
 *
 * <pre>
 *   header (40 bytes)
 *     0  int   magic
 *     4  int   version
 *     8  int   shuffle id
 *    12  int   reduce partition
 *    16  long  map id
 *    24  int   number of frames
 *    28  int   0
 *    32  int   0
 *    36  int   CRC32C of bytes 0 to 35
 *   frames, ascending by run, pieces of a run in order
 *     0  int   run index
 *     4  int   flags of the run
 *     8  int   length, bytes, more than 0
 *    12  int   CRC32C of the bytes
 *    16  the bytes
 * </pre>
 */
public final class BlockFrames {
  static final int MAGIC = 0x7e4be4f0;
  static final int VERSION = 1;
  static final int HEADER_SIZE = 40;
  static final int FRAME_SIZE = 16;
  private static final int HEADER_CRC = 36;
  private static final int KNOWN_FLAGS = Entry.COMPRESSED | Entry.ENCRYPTED;

  private BlockFrames() {}

  /**
   * One run's frames.
   *
   * @param run index of the run in the map output
   * @param flags COMPRESSED and ENCRYPTED bits of {@link Entry}
   * @param length bytes over all pieces
   * @param pieces windows on the bytes, in order
   * @param crcs CRC32C of each
   */
  record Framed(int run, int flags, long length, List<ByteBuffer> pieces, List<Integer> crcs) {}

  /**
   * Frames a block of this process for sending. Pieces in the pool are not copied: the buffers are
   * valid while the lease is held. Pieces on disk are read into memory.
   *
   * @throws IOException when the map output is not here or its file cannot be read
   */
  public static List<ByteBuffer> encode(
      ShuffleLease lease, int shuffleId, long mapId, int partition) throws IOException {
    return encode(segments(lease, shuffleId, mapId, partition), shuffleId, mapId, partition);
  }

  /**
   * Bytes of a framed block of this process; reads none of them.
   *
   * @throws IOException when the map output is not here
   */
  public static long size(ShuffleLease lease, int shuffleId, long mapId, int partition)
      throws IOException {
    long size = HEADER_SIZE;
    for (LocalSegment segment : segments(lease, shuffleId, mapId, partition)) {
      size += segment.length() + (long) segment.pieces().size() * FRAME_SIZE;
    }
    return size;
  }

  private static List<LocalSegment> segments(
      ShuffleLease lease, int shuffleId, long mapId, int partition) throws IOException {
    return lease
        .block(mapId, partition)
        .orElseThrow(
            () ->
                new IOException(
                    "map " + mapId + " of shuffle " + shuffleId + " was not published here"));
  }

  static List<ByteBuffer> encode(
      List<LocalSegment> segments, int shuffleId, long mapId, int partition) throws IOException {
    int frames = 0;
    for (LocalSegment segment : segments) {
      frames += segment.pieces().size();
    }
    ByteBuffer heads = ByteBuffer.allocate(HEADER_SIZE + frames * FRAME_SIZE);
    heads.putInt(MAGIC).putInt(VERSION).putInt(shuffleId).putInt(partition);
    heads.putLong(mapId).putInt(frames).putInt(0).putInt(0);
    heads.putInt(crc(heads.duplicate().flip()));
    List<ByteBuffer> out = new ArrayList<>(1 + 2 * frames);
    int from = 0;
    for (LocalSegment segment : segments) {
      for (LocalSegment.Piece piece : segment.pieces()) {
        heads.putInt(segment.run()).putInt(segment.flags());
        heads.putInt(piece.length()).putInt(piece.crc());
        out.add(heads.slice(from, heads.position() - from));
        out.add(bytes(piece));
        from = heads.position();
      }
    }
    if (out.isEmpty()) {
      out.add(heads.flip());
    }
    return out;
  }

  private static ByteBuffer bytes(LocalSegment.Piece piece) throws IOException {
    if (piece.view() != null) {
      return piece.view().buffer(0, piece.length());
    }
    ByteBuffer bytes = ByteBuffer.allocate(piece.length());
    try (PositionFile file = PositionFile.open(piece.file())) {
      file.readFully(bytes, piece.fileOffset());
    }
    return bytes.flip();
  }

  /**
   * Takes frames apart. The bytes are not checked against their checksums yet.
   *
   * @throws IOException when anything but whole frames of this very block has come
   */
  static List<Framed> decode(ByteBuffer frames, int shuffleId, BlockId block) throws IOException {
    ByteBuffer in = frames.slice(); // big-endian, whatever the order of frames is
    checkHeader(in, shuffleId, block);
    int count = in.getInt(24);
    in.position(HEADER_SIZE);
    List<Framed> segments = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      if (in.remaining() < FRAME_SIZE) {
        throw garbage(frames, "it ends in the head of frame " + i + " of " + count);
      }
      int run = in.getInt();
      int flags = in.getInt();
      int length = in.getInt();
      int crc = in.getInt();
      if (length <= 0 || length > in.remaining()) {
        throw garbage(
            frames, "frame " + i + " has length " + length + ", " + in.remaining() + " are left");
      }
      ByteBuffer bytes = in.slice(in.position(), length);
      in.position(in.position() + length);
      add(segments, frames, run, flags, bytes, crc);
    }
    if (in.hasRemaining()) {
      throw garbage(frames, in.remaining() + " bytes follow the last frame");
    }
    return segments;
  }

  private static void add(
      List<Framed> segments, ByteBuffer frames, int run, int flags, ByteBuffer bytes, int crc)
      throws IOException {
    Framed last = segments.isEmpty() ? null : segments.get(segments.size() - 1);
    if ((flags & ~KNOWN_FLAGS) != 0 || run < 0 || (last != null && run < last.run())) {
      throw garbage(frames, "a frame of run " + run + " has flags " + flags);
    }
    if (last == null || last.run() != run) {
      last = new Framed(run, flags, 0, new ArrayList<>(), new ArrayList<>());
    } else if (last.flags() != flags) {
      throw garbage(frames, "frames of run " + run + " have flags " + last.flags() + ", " + flags);
    } else {
      segments.remove(segments.size() - 1);
    }
    last.pieces().add(bytes);
    last.crcs().add(crc);
    segments.add(
        new Framed(run, flags, last.length() + bytes.remaining(), last.pieces(), last.crcs()));
  }

  private static void checkHeader(ByteBuffer in, int shuffleId, BlockId block) throws IOException {
    if (in.remaining() < HEADER_SIZE) {
      throw garbage(in, "expected a header of " + HEADER_SIZE + " bytes");
    }
    if (in.getInt(0) != MAGIC) {
      throw garbage(in, "wrong magic number 0x%08x".formatted(in.getInt(0)));
    }
    if (in.getInt(4) != VERSION) {
      throw garbage(in, "version " + in.getInt(4) + ", expected " + VERSION);
    }
    if (crc(in.slice(0, HEADER_CRC)) != in.getInt(HEADER_CRC)) {
      throw garbage(in, "the header does not match its checksum");
    }
    if (in.getInt(8) != shuffleId
        || in.getInt(12) != block.partition()
        || in.getLong(16) != block.mapId()
        || in.getInt(24) < 0) {
      throw garbage(
          in,
          "it is shuffle %d map %d partition %d with %d frames"
              .formatted(in.getInt(8), in.getLong(16), in.getInt(12), in.getInt(24)));
    }
  }

  private static int crc(ByteBuffer bytes) {
    CRC32C crc = new CRC32C();
    crc.update(bytes);
    return (int) crc.getValue();
  }

  private static IOException garbage(ByteBuffer frames, String what) {
    return new IOException("what came (" + frames.remaining() + " bytes) is no block: " + what);
  }
}
