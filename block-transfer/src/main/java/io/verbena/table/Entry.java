package io.verbena.table;

import io.verbena.memory.MemoryView;

/**
 * Layout of one entry of the location table, 16 bytes: where one piece of a block lies. A block of
 * at most one chunk is one entry; a longer one is an entry with {@link #CHAIN}, which locates an
 * array of entries, one a piece.
 *
 * <pre>
 *   0  int    offset, unsigned: bytes from the start of the region; of a disk entry the low 32 bits
 *   4  int    length, bytes; 0 in an empty block
 *   8  int    CRC32C of the {@code length} bytes as they are stored, exclusive-or a number that
 *             follows from the flags and, in a tile, one that follows from the entry's place there
 *             ({@link Tile#seal}): flags that changed and entries of another place make the bytes
 *             fail their check
 *  12  short  region id; of a disk entry the high 16 bits of the offset in the run's file
 *  14  short  flags
 * </pre>
 *
 * A block is empty when its length is 0; its checksum is that of no bytes, 0. An entry whose flags
 * lack {@link #PRESENT} has not been written.
 */
public final class Entry {
  /** Bytes of one entry. */
  public static final int SIZE = 16;

  static final int OFFSET = 0;
  static final int LENGTH = 4;
  static final int CRC = 8;
  static final int REGION = 12;

  /** The entry has been written. */
  public static final int PRESENT = 1;

  /** The bytes are in the run's file, not in a region. */
  public static final int DISK = 1 << 1;

  /**
   * The bytes are an array of entries, one for each piece of the block, in order. {@code length}
   * and the CRC are the array's. The pieces' own entries carry PRESENT and DISK only.
   */
  public static final int CHAIN = 1 << 2;

  /** The block's bytes are compressed. */
  public static final int COMPRESSED = 1 << 3;

  /** The block's bytes are encrypted. */
  public static final int ENCRYPTED = 1 << 4;

  private Entry() {}

  /** Writes an entry in memory. */
  public static void put(
      MemoryView view, int at, int region, int offset, int length, int crc, int flags) {
    view.putInt(at + OFFSET, offset);
    view.putInt(at + LENGTH, length);
    view.putInt(at + CRC, crc ^ seal(flags));
    view.putInt(at + REGION, (region & 0xffff) | flags << 16);
  }

  /** Writes an entry of bytes in the run's file. {@code fileOffset} is below 2^48 bytes. */
  public static void putDisk(
      MemoryView view, int at, long fileOffset, int length, int crc, int flags) {
    put(view, at, (int) (fileOffset >>> 32), (int) fileOffset, length, crc, flags | DISK);
  }

  public static int length(MemoryView view, int at) {
    return view.getInt(at + LENGTH);
  }

  public static int crc(MemoryView view, int at) {
    return view.getInt(at + CRC) ^ seal(flags(view, at));
  }

  /** Different for different flags: an odd factor loses no bit. */
  static int seal(int flags) {
    return (flags & 0xffff) * 0x9e3779b1;
  }

  public static int flags(MemoryView view, int at) {
    return view.getInt(at + REGION) >>> 16;
  }

  public static int region(MemoryView view, int at) {
    return view.getInt(at + REGION) & 0xffff;
  }

  /** Offset in the region, bytes. */
  public static int offset(MemoryView view, int at) {
    return view.getInt(at + OFFSET);
  }

  /** Offset in the run's file, bytes, of an entry with {@link #DISK}. */
  public static long fileOffset(MemoryView view, int at) {
    return (long) region(view, at) << 32 | Integer.toUnsignedLong(offset(view, at));
  }
}
