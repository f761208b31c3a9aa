package io.verbena.table;

/**
 * Layout of a shuffle's directory on one executor: where its tiles lie. Append-only; a full one
 * links to the next. The first block is small, because many tables have few tiles. Memory of the
 * owning shuffle, like its tiles.
 *
 * <pre>
 *   header (64 bytes)
 *     0  int   magic
 *     4  int   version
 *     8  int   shuffle id
 *    12  int   number of reduce partitions
 *    16  long  generation
 *    24  int   capacity for records in this block: 8 in the first, 40 in others
 *    32  int   CRC32C of bytes 0 to 31
 *    40  long  records written in this block, stored last with release order
 *   records (24 bytes each)
 *     0  int   kind: 1 a tile, 2 the next directory block (always the last record)
 *     4  int   region id
 *     8  int   offset in the region, bytes
 *    12  int   length, bytes
 *    16  int   slots of the tile
 *    20  int   CRC32C of bytes 0 to 19
 * </pre>
 */
public final class Directory {
  static final int MAGIC = 0x7e4be4a3;
  public static final int VERSION = 2;

  public static final int HEADER_SIZE = 64;
  static final int SHUFFLE = 8;
  static final int PARTITIONS = 12;
  static final int GENERATION = 16;
  static final int CAPACITY = 24;
  static final int HEADER_CRC = 32;
  static final int COUNT = 40;

  public static final int RECORD_SIZE = 24;
  static final int RECORD_KIND = 0;
  static final int RECORD_REGION = 4;
  static final int RECORD_OFFSET = 8;
  static final int RECORD_LENGTH = 12;
  static final int RECORD_SLOTS = 16;
  static final int RECORD_CRC = 20;

  static final int KIND_TILE = 1;
  static final int KIND_NEXT = 2;

  /** Records of the first block. */
  public static final int FIRST_RECORDS = 8;

  /** Records of every other block. */
  public static final int BLOCK_RECORDS = 40;

  private Directory() {}

  public static int recordOffset(int index) {
    return HEADER_SIZE + index * RECORD_SIZE;
  }

  /** Bytes of a block of so many records. */
  public static int blockSize(int records) {
    return recordOffset(records);
  }
}
