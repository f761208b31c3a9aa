package io.verbena.store;

import java.io.IOException;
import java.io.OutputStream;

/**
 * Writes one run, partition after partition, into extents of the pool, and into the run's file what
 * finds no room there. Bytes are cut into pieces of at most one chunk, each with its checksum.
 *
 * <p>Threads: one at a time.
 */
public final class RunWriter {
  RunWriter() {}

  /**
   * Begins a partition and ends the one before. Partitions come in ascending order; those left out
   * are empty.
   *
   * @param flags {@link io.verbena.table.Entry#COMPRESSED}, {@link
   *     io.verbena.table.Entry#ENCRYPTED} or 0
   * @param sizeHint bytes that will follow, 0 when unknown; a hint saves copies, a wrong one costs
   *     nothing else
   */
  public void partition(int partition, int flags, long sizeHint) throws IOException {
    throw new UnsupportedOperationException();
  }

  /** Appends bytes to the current partition. */
  public void write(byte[] bytes, int offset, int length) throws IOException {
    throw new UnsupportedOperationException();
  }

  /**
   * Appends bytes from a memory page in the coordinates of {@code sun.misc.Unsafe}: an offset in a
   * heap object, or an address when {@code base} is null. The caller vouches for the source.
   */
  public void writeFromPage(Object base, long baseOffset, int length) throws IOException {
    throw new UnsupportedOperationException();
  }

  /** The current partition as a stream; closing it does nothing. The same object each time. */
  public OutputStream stream() {
    throw new UnsupportedOperationException();
  }

  /** Ends the run; gives back what was reserved and not used. */
  public void finish() throws IOException {
    throw new UnsupportedOperationException();
  }

  /** Bytes written so far in this run. */
  public long bytes() {
    throw new UnsupportedOperationException();
  }
}
