package io.verbena.bench;

/**
 * A shuffle of the fetch benchmark: every block of the same size. One round reads all of it,
 * partition after partition, as reduce tasks do.
 *
 * @param blockSize bytes of a block
 * @param maps map outputs, and so blocks of one reduce partition
 * @param partitions reduce partitions
 */
record FetchShape(int blockSize, int maps, int partitions) {
  /** The shape for about {@code roundBytes} bytes: many maps where blocks are small. */
  static FetchShape of(int blockSize, long roundBytes) {
    long blocks = Math.max(1, roundBytes / blockSize);
    // About the square root of the number of blocks, as in jobs with as many maps as reduces, but
    // at most 1024 maps: every map output is two files on Spark's side.
    int maps = 1;
    while (maps < 1024 && (long) maps * maps < blocks * 4) {
      maps *= 2;
    }
    maps = (int) Math.min(maps, blocks);
    return new FetchShape(blockSize, maps, (int) Math.max(1, blocks / maps));
  }

  long blocks() {
    return (long) maps * partitions;
  }

  long bytes() {
    return blocks() * blockSize;
  }
}
