package io.verbena.spark;

/**
 * A record's partition and address in 8 bytes, the partition on top so that sorting by the upper 3
 * bytes sorts by partition.
 *
 * <pre>
 *   bits 40-63  partition
 *   bits 27-39  page number of Spark's task memory manager
 *   bits  0-26  offset in the page, in units of 4 bytes
 * </pre>
 */
final class RecordPointer {
  /** Partitions that a pointer can name. */
  static final int MAX_PARTITIONS = 1 << 24;

  /** First offset in a page that a pointer cannot name, bytes. */
  static final long MAX_OFFSET = 1L << 29;

  /** Lowest byte of the partition, counted from the least significant. */
  static final int FIRST_SORT_BYTE = 5;

  static final int LAST_SORT_BYTE = 7;

  private static final int PARTITION_SHIFT = 40;
  private static final int PAGE_SHIFT = 27;
  private static final int UNIT_SHIFT = 2;
  // The task memory manager's own addresses: 13 bits of page number above 51 bits of offset.
  private static final int SPARK_PAGE_SHIFT = 51;
  private static final long OFFSET_MASK = (1L << PAGE_SHIFT) - 1;
  private static final long PAGE_MASK = (1L << (PARTITION_SHIFT - PAGE_SHIFT)) - 1;
  private static final long SPARK_OFFSET_MASK = (1L << SPARK_PAGE_SHIFT) - 1;

  private RecordPointer() {}

  /** Packs a partition and an address of the task memory manager, which is a multiple of 4. */
  static long pack(int partition, long address) {
    return (long) partition << PARTITION_SHIFT
        | address >>> SPARK_PAGE_SHIFT << PAGE_SHIFT
        | (address & SPARK_OFFSET_MASK) >>> UNIT_SHIFT;
  }

  static int partition(long pointer) {
    return (int) (pointer >>> PARTITION_SHIFT);
  }

  static long address(long pointer) {
    return (pointer >>> PAGE_SHIFT & PAGE_MASK) << SPARK_PAGE_SHIFT
        | (pointer & OFFSET_MASK) << UNIT_SHIFT;
  }
}
