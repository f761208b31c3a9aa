package io.verbena.spark;

import io.verbena.store.RunWriter;
import java.io.IOException;
import java.io.OutputStream;
import org.apache.spark.unsafe.Platform;

/**
 * The partitions of one run on their way into it: as they are, or through codec and cipher. Every
 * partition is encoded for itself, because readers fetch partitions one by one.
 *
 * <p>Threads: one at a time.
 */
final class PartitionOutput {
  private static final int SCRATCH_SIZE = 32 << 10;

  private final RunWriter run;
  private final BlockEncoding encoding;
  private final int flags;
  private final byte[] scratch;
  private OutputStream encoded;

  PartitionOutput(RunWriter run, BlockEncoding encoding) {
    this.run = run;
    this.encoding = encoding;
    this.flags = encoding.flagsOfNextRun();
    this.scratch = flags == 0 ? null : new byte[SCRATCH_SIZE];
  }

  /**
   * Begins a partition; the one before has been closed.
   *
   * @param size bytes that will follow before encoding, 0 when unknown
   */
  void open(int partition, long size) throws IOException {
    run.partition(partition, flags, flags == 0 ? size : 0);
    if (flags != 0) {
      encoded = encoding.encode(run.stream(), flags);
    }
  }

  /** Appends bytes from a memory page of Spark. */
  void write(Object base, long offset, int length) throws IOException {
    if (flags == 0) {
      run.writeFromPage(base, offset, length);
      return;
    }
    int done = 0;
    while (done < length) {
      int part = Math.min(scratch.length, length - done);
      Platform.copyMemory(base, offset + done, scratch, Platform.BYTE_ARRAY_OFFSET, part);
      encoded.write(scratch, 0, part);
      done += part;
    }
  }

  /** The partition as a stream. Closing it ends the encoding, as {@link #close} does. */
  OutputStream stream() {
    return flags == 0 ? run.stream() : encoded;
  }

  /** Ends the partition. */
  void close() throws IOException {
    if (encoded != null) {
      encoded.close();
      encoded = null;
    }
  }
}
