package io.verbena.store;

import io.verbena.memory.MemoryView;
import java.nio.file.Path;
import java.util.List;

/**
 * One run's bytes of a block, in this process.
 *
 * @param run index of the run in the map output
 * @param flags COMPRESSED and ENCRYPTED bits of {@link io.verbena.table.Entry}
 * @param length bytes over all pieces
 * @param pieces in order
 */
public record LocalSegment(int run, int flags, long length, List<Piece> pieces) {
  /**
   * A piece with one checksum.
   *
   * @param view the bytes in the pool; null when they are in a file
   * @param file the run's file; null when the bytes are in the pool
   * @param fileOffset offset in the file, bytes
   * @param length bytes
   * @param crc CRC32C of the bytes
   */
  public record Piece(MemoryView view, Path file, long fileOffset, int length, int crc) {}
}
