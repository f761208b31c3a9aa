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
 *   rows, one a reduce partition, each slots * Entry.SIZE
 * </pre>
 *
 * Rows have no header: with one of even 8 bytes, tables of executors that hold few map outputs take
 * more than 24 bytes a block. Every entry proves by itself where it stands, see {@link #seal}.
 */
public final class Tile {
  static final int MAGIC = 0x7e4be4a1;
  public static final int VERSION = 2;

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

  /** Slots of the small tiles that a table begins with. */
  public static final int FIRST_SLOTS = 2;

  /** Slots of any tile at most. */
  public static final int MAX_SLOTS = 64;

  private Tile() {}

  /** Bytes of a row in a tile of {@code slots} columns. */
  public static int rowSize(int slots) {
    return slots * Entry.SIZE;
  }

  /**
   * Slots that the tile after the first {@code capacity} slots has: 2, 2, 2, 2, 3, 4 and on by 3/7
   * of what is there. A new tile is empty but for one column, and with more than that the bytes a
   * block would rise above 24.
   */
  static int slotsAfter(int capacity) {
    return Math.min(MAX_SLOTS, Math.max(FIRST_SLOTS, capacity * 3 / 7));
  }

  /**
   * What the checksum of an entry is combined with, by exclusive-or: different in every place of a
   * table and in every generation. Bytes that an entry of another place, shuffle or time points at
   * fail their check, and an entry of no bytes shows a checksum that is not 0.
   */
  static int seal(long generation, int tile, int column, int partition) {
    long mixed = generation * 0x9e3779b97f4a7c15L + ((long) tile * MAX_SLOTS + column);
    mixed = (mixed ^ mixed >>> 32) * 0xbf58476d1ce4e5b9L;
    // An odd factor: no two partitions of a column have the same.
    return (int) (mixed >>> 32) + partition * 0x85ebca6b;
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
