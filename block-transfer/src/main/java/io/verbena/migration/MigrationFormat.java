package io.verbena.migration;

import io.verbena.table.Entry;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.zip.CRC32C;

/**
 * The form of one map output on its way from store to store: a header, then for each piece of each
 * block of each run a frame and the bytes as they are stored. Nothing in it belongs to the store
 * that it came from: no generation, no region, no offset. Both header and frames have a checksum,
 * and frames their number, so that nothing can be left out, come twice or in another order.
 * Big-endian.
 *
 * <pre>
 *   header (52 bytes)
 *     0  int   magic
 *     4  int   version
 *     8  int   shuffle id
 *    12  int   number of reduce partitions
 *    16  long  map id
 *    24  int   number of runs, at least 1
 *    28  int   0
 *    32  long  number of frames
 *    40  long  bytes of all blocks, without frames
 *    48  int   CRC32C of bytes 0 to 47
 *   frames, ascending by run, then by partition, pieces of a block in order
 *     0  int   number of the frame, from 0, its low 32 bits
 *     4  int   run index
 *     8  int   reduce partition
 *    12  int   flags of the block
 *    16  int   length, bytes, more than 0
 *    20  int   CRC32C of the bytes
 *    24  int   CRC32C of bytes 0 to 23
 *    28  the bytes
 * </pre>
 */
final class MigrationFormat {
  static final int MAGIC = 0x7e4be4f1;
  static final int VERSION = 1;
  static final int HEADER_SIZE = 52;
  static final int FRAME_SIZE = 28;

  private static final int KNOWN_FLAGS = Entry.COMPRESSED | Entry.ENCRYPTED;

  private MigrationFormat() {}

  /**
   * What the header says.
   *
   * @param partitions reduce partitions of the shuffle
   * @param bytes bytes of all blocks, as they are stored
   */
  record Header(int shuffleId, int partitions, long mapId, int runs, long frames, long bytes) {
    /** Bytes of the whole map output on its way. */
    long size() {
      return HEADER_SIZE + frames * FRAME_SIZE + bytes;
    }

    void put(ByteBuffer into) {
      int start = into.position();
      into.putInt(MAGIC).putInt(VERSION).putInt(shuffleId).putInt(partitions);
      into.putLong(mapId).putInt(runs).putInt(0).putLong(frames).putLong(bytes);
      into.putInt(checksum(into.slice(start, into.position() - start)));
    }

    /**
     * Takes a header apart.
     *
     * @throws IOException when it is none, or one of another version
     */
    static Header parse(ByteBuffer in) throws IOException {
      if (in.getInt(0) != MAGIC) {
        throw garbage("wrong magic number 0x%08x".formatted(in.getInt(0)));
      }
      if (in.getInt(4) != VERSION) {
        throw garbage(
            "version %d, this side speaks %d; use the same jar everywhere"
                .formatted(in.getInt(4), VERSION));
      }
      if (checksum(in.slice(0, HEADER_SIZE - Integer.BYTES))
          != in.getInt(HEADER_SIZE - Integer.BYTES)) {
        throw garbage("the header does not match its checksum");
      }
      Header header =
          new Header(
              in.getInt(8),
              in.getInt(12),
              in.getLong(16),
              in.getInt(24),
              in.getLong(32),
              in.getLong(40));
      if (header.partitions <= 0 || header.runs <= 0 || header.frames < 0 || header.bytes < 0) {
        throw garbage("%s".formatted(header));
      }
      return header;
    }
  }

  /** What a frame says of the bytes that follow it. */
  record Frame(int run, int partition, int flags, int length, int crc) {
    void put(ByteBuffer into, long number) {
      int start = into.position();
      into.putInt((int) number).putInt(run).putInt(partition).putInt(flags);
      into.putInt(length).putInt(crc);
      into.putInt(checksum(into.slice(start, into.position() - start)));
    }

    /**
     * Takes a frame apart.
     *
     * @throws IOException when it is not frame {@code number}, or says what cannot be
     */
    static Frame parse(ByteBuffer in, long number) throws IOException {
      if (checksum(in.slice(0, FRAME_SIZE - Integer.BYTES))
          != in.getInt(FRAME_SIZE - Integer.BYTES)) {
        throw garbage("frame %d does not match its checksum".formatted(number));
      }
      if (in.getInt(0) != (int) number) {
        throw garbage("frame %d came where %d was expected".formatted(in.getInt(0), number));
      }
      Frame frame =
          new Frame(in.getInt(4), in.getInt(8), in.getInt(12), in.getInt(16), in.getInt(20));
      if (frame.length <= 0 || (frame.flags & ~KNOWN_FLAGS) != 0) {
        throw garbage("frame %d is %s".formatted(number, frame));
      }
      return frame;
    }
  }

  private static int checksum(ByteBuffer bytes) {
    CRC32C crc = new CRC32C();
    crc.update(bytes);
    return (int) crc.getValue();
  }

  static IOException garbage(String what) {
    return new IOException("what came is no whole map output: " + what);
  }
}
