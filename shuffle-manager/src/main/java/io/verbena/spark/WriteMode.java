package io.verbena.spark;

/** How a shuffle's map outputs are written. */
enum WriteMode {
  /** Each record is serialised at once and moved as bytes. */
  MOVED_BYTES,

  /** Each record is serialised at once into the stream of its partition. */
  STREAM_PER_PARTITION,

  /** Objects are combined or sorted by Spark's external sorter, then serialised. */
  SORTED_OBJECTS;

  /**
   * Chooses. Objects are kept only where Spark's own shuffle keeps them, too: callers may reuse the
   * records that they hand over.
   *
   * @param relocatable whether the serializer's bytes may be moved within a stream
   * @param streams most partitions that have a stream each ({@code
   *     spark.shuffle.sort.bypassMergeThreshold})
   */
  static WriteMode choose(
      boolean relocatable, boolean mapSideCombine, int partitions, int streams) {
    if (mapSideCombine) {
      return SORTED_OBJECTS;
    }
    if (relocatable && partitions <= RecordPointer.MAX_PARTITIONS) {
      return MOVED_BYTES;
    }
    return partitions <= streams ? STREAM_PER_PARTITION : SORTED_OBJECTS;
  }
}
