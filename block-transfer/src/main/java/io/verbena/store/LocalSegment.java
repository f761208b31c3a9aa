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
   * A piece with one checksum. Bytes in the pool can be had both ways.
   *
   * @param view the bytes in the pool; null when they are in the run's file
   * @param viewIsQuick whether the view is the quicker way to bytes in the pool: with huge pages it
   *     is, while the first touch of a small page costs more than reading the file
   * @param file the file that holds them: the region's or the run's
   * @param fileOffset offset in the file, bytes
   * @param length bytes
   * @param crc CRC32C of the bytes
   */
  public record Piece(
      MemoryView view, boolean viewIsQuick, Path file, long fileOffset, int length, int crc) {}
}
