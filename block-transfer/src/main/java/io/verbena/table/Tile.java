package io.verbena.table;

/**
 * Layout of a tile: {@code slots} columns of the transposed location table, a row for each reduce
 * partition. Memory of the owning shuffle, valid while the shuffle's generation word holds the
 * generation that the tile carries.
 *
 * <pre>
 *   header (64 bytes)
 *     0  int   magic
 *     4  int   version
 *     8  int   shuffle id
 *    12  int   number of reduce partitions
 *    16  long  generation
 *    24  int   slots in this tile
 *    28  int   index of the tile in the shuffle
 *    32  int   CRC32C of bytes 0 to 31
 *   slot headers (32 bytes each)
 *     0  long  map id (task attempt id)
 *     8  int   run index in the map output
 *    12  int   run count of the map output
 *    16  long  size of the run's file, bytes; 0 without one
 *    24  long  generation, stored last with release order; another value: not published
 *   rows, one a reduce partition, each row header + slots * Entry.SIZE
 *     row header (24 bytes)
 *     0  int   magic
 *     4  int   shuffle id
 *     8  long  generation
 *    16  int   reduce partition
 *    20  int   CRC32C of bytes 0 to 19
 * </pre>
 */
public final class Tile {
  static final int MAGIC = 0x7e4be4a1;
  static final int ROW_MAGIC = 0x7e4be4a2;
  public static final int VERSION = 1;

  public static final int HEADER_SIZE = 64;
  static final int SHUFFLE = 8;
  static final int PARTITIONS = 12;
  static final int GENERATION = 16;
  static final int SLOTS = 24;
  static final int INDEX = 28;
  static final int HEADER_CRC = 32;

  public static final int SLOT_SIZE = 32;
  static final int SLOT_MAP = 0;
  static final int SLOT_RUN = 8;
  static final int SLOT_RUNS = 12;
  static final int SLOT_FILE_SIZE = 16;
  static final int SLOT_GENERATION = 24;

  public static final int ROW_HEADER_SIZE = 24;
  static final int ROW_SHUFFLE = 4;
  static final int ROW_GENERATION = 8;
  static final int ROW_PARTITION = 16;
  static final int ROW_CRC = 20;

  /** Slots of a shuffle's first tile at most: most executors hold few map outputs. */
  public static final int FIRST_SLOTS = 4;

  /** Slots of any tile at most. */
  public static final int MAX_SLOTS = 64;

  private Tile() {}

  /** Bytes of a row in a tile of {@code slots} columns. */
  public static int rowSize(int slots) {
    return ROW_HEADER_SIZE + slots * Entry.SIZE;
  }

  /** Offset of a slot's header in its tile, bytes. */
  public static int slotOffset(int slot) {
    return HEADER_SIZE + slot * SLOT_SIZE;
  }

  /** Offset of a row in its tile, bytes. */
  public static int rowOffset(int slots, int partition) {
    return Math.toIntExact(slotOffset(slots) + (long) partition * rowSize(slots));
  }

  /** Bytes of a whole tile. */
  public static long size(int slots, int partitions) {
    return slotOffset(slots) + (long) partitions * rowSize(slots);
  }
}
