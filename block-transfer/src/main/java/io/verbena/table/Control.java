package io.verbena.table;

/**
 * Layout of an executor's control area: the one piece of memory whose place peers are told through
 * the registry, never freed and never reused for anything else while the executor lives. It holds
 * the region records and the generation words.
 *
 * <pre>
 *   header (64 bytes)
 *     0  int   magic
 *     4  int   version
 *     8  long  nonce, high half       16  long  nonce, low half
 *    24  int   capacity for region records
 *    28  int   capacity for generation words
 *    32  int   CRC32C of bytes 0 to 31
 *    40  long  region records written, stored last with release order
 *   region records (64 bytes each, append-only, index = region id)
 *     0  int   region id
 *     4  int   index of its directory in the executor's descriptor
 *     8  long  length, bytes
 *    16  int   backing: 0 hugetlbfs, 1 tmpfs, 2 disk
 *    20  int   page size, bytes
 *    24  long  address for READs of a network adapter
 *    32  int   remote key for them
 *    36  int   1 when they may be used, 0 when the region is not registered with an adapter
 *    60  int   CRC32C of bytes 0 to 59
 *   generation words (8 bytes each)
 *   retirement words (8 bytes each, index = region id): 0, or 1 when the owner gives the region's
 *   memory back, stored before the file is removed; nobody opens the region any more
 * </pre>
 *
 * A generation word holds the generation of the shuffle that uses it, or 0. Generations are never
 * used twice in a process, so a word may serve another shuffle later.
 */
public final class Control {
  static final int MAGIC = 0x7e4be4a0;
  public static final int VERSION = 1;

  public static final int HEADER_SIZE = 64;
  static final int NONCE_HIGH = 8;
  static final int NONCE_LOW = 16;
  static final int REGION_CAPACITY = 24;
  static final int WORD_CAPACITY = 28;
  static final int HEADER_CRC = 32;
  static final int REGION_COUNT = 40;

  public static final int RECORD_SIZE = 64;
  static final int RECORD_ID = 0;
  static final int RECORD_DIRECTORY = 4;
  static final int RECORD_LENGTH = 8;
  static final int RECORD_BACKING = 16;
  static final int RECORD_PAGE_SIZE = 20;
  static final int RECORD_REMOTE_ADDRESS = 24;
  static final int RECORD_REMOTE_KEY = 32;
  static final int RECORD_REMOTE = 36;
  static final int RECORD_CRC = 60;

  /** Region records of a control area; regions are never more than entries can name. */
  public static final int MAX_REGIONS = 4096;

  /** Generation words of a control area: shuffles alive at one time in one executor. */
  public static final int MAX_WORDS = 65536;

  private Control() {}

  public static int recordOffset(int region) {
    return HEADER_SIZE + region * RECORD_SIZE;
  }

  public static int wordOffset(int word) {
    return recordOffset(MAX_REGIONS) + word * Long.BYTES;
  }

  static int retirementOffset(int region) {
    return wordOffset(MAX_WORDS) + region * Long.BYTES;
  }

  /** Bytes of a control area. */
  public static int size() {
    return retirementOffset(MAX_REGIONS);
  }
}
