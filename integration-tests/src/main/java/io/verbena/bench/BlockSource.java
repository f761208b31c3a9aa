package io.verbena.bench;

import java.io.IOException;
import java.io.InputStream;

/** A side of the fetch benchmark, in the reading process. */
interface BlockSource extends AutoCloseable {
  /**
   * Reads one reduce partition as a reduce task does: asks for all its blocks at once, takes their
   * streams in the order in which they become ready.
   */
  void read(int shuffle, FetchShape shape, int partition, Sink sink) throws IOException;

  /** Takes a block's stream and reads it to its end. */
  interface Sink {
    void accept(long map, int partition, InputStream stream) throws IOException;
  }

  @Override
  void close() throws IOException;
}
