package io.verbena.fetch;

/** One checked unit of a block on its way: at most a chunk. Threads: the task's. */
final class Piece {
  /** Index of the block in its source. */
  final int block;

  /** Index of the piece in the block, over all runs. */
  final int index;

  /** Index of the segment in the block. */
  final int segment;

  final int run;

  /** Flags of the segment. */
  final int flags;

  /** Bytes of the whole segment. */
  final long segmentLength;

  final boolean firstOfSegment;
  boolean lastOfBlock;
  boolean segmentLastOfBlock;
  boolean segmentOnDisk;

  /** Region, or -1 for bytes in the run's file. */
  final int region;

  /** Bytes from the start of the region or file. */
  final long offset;

  final int length;
  final int crc;

  /** Bytes of the run's file as its slot header says. */
  final long fileSize;

  /** Where it lies in its batch's buffer. */
  int at;

  Piece(
      int block,
      int index,
      int segment,
      int run,
      int flags,
      long segmentLength,
      boolean firstOfSegment,
      int region,
      long offset,
      int length,
      int crc,
      long fileSize) {
    this.block = block;
    this.index = index;
    this.segment = segment;
    this.run = run;
    this.flags = flags;
    this.segmentLength = segmentLength;
    this.firstOfSegment = firstOfSegment;
    this.region = region;
    this.offset = offset;
    this.length = length;
    this.crc = crc;
    this.fileSize = fileSize;
  }

  boolean onDisk() {
    return region < 0;
  }
}
