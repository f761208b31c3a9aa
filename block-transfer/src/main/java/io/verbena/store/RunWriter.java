package io.verbena.store;

import io.verbena.memory.Extent;
import io.verbena.memory.MemoryView;
import io.verbena.memory.NativeBuffer;
import io.verbena.table.Entry;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.zip.CRC32C;

/**
 * Writes one run, partition after partition, into extents of the pool, and into the run's file what
 * finds no room there. Bytes are cut into pieces of at most one chunk, each with its checksum.
 *
 * <p>Pieces are put together in a small buffer that stays in the processor's cache, where their
 * checksums are computed; when it is full they go out together, into one extent.
 *
 * <p>Threads: one at a time.
 */
public final class RunWriter {
  private static final int STORED_FLAGS = Entry.COMPRESSED | Entry.ENCRYPTED;

  private final MapOutput output;
  private final int run;
  private final int chunkSize;
  private final PieceIndex index;
  private final CRC32C crc = new CRC32C();
  private final OutputStream stream = new PartitionStream();

  // The buffer; null once the run has ended.
  private NativeBuffer staging;
  private MemoryView memory;
  private int position;
  private int pieceStart;
  private int pieceLimit;

  // Pieces in the buffer that are complete.
  private int[] pending = new int[4 * 16];
  private int pendings;

  private int partition = -1;
  private int flags;
  private long closedBytes;
  private RunFile file;

  RunWriter(MapOutput output, int run) {
    this.output = output;
    this.run = run;
    this.chunkSize = output.chunkSize();
    this.index = new PieceIndex(output.partitions());
    this.staging = output.takeStaging();
    this.memory = staging.view();
    this.pieceLimit = 0;
  }

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
    checkOpen();
    if (partition <= this.partition || partition >= output.partitions()) {
      throw new IllegalArgumentException(
          "partition="
              + partition
              + " after partition "
              + this.partition
              + " of "
              + output.partitions()
              + ": partitions come in ascending order");
    }
    if ((flags & ~STORED_FLAGS) != 0) {
      throw new IllegalArgumentException("flags=" + flags + ": only COMPRESSED and ENCRYPTED");
    }
    endPiece();
    this.partition = partition;
    this.flags = flags;
    long whole = Math.min(sizeHint, chunkSize);
    if (position > 0 && whole > memory.capacity() - position) {
      flush();
    }
    beginPiece();
  }

  /** Appends bytes to the current partition. */
  public void write(byte[] bytes, int offset, int length) throws IOException {
    checkPartition();
    int from = offset;
    int left = length;
    while (left > 0) {
      int part = Math.min(left, room());
      memory.putBytes(position, bytes, from, part);
      position += part;
      from += part;
      left -= part;
    }
  }

  /**
   * Appends bytes from a memory page in the coordinates of {@code sun.misc.Unsafe}: an offset in a
   * heap object, or an address when {@code base} is null. The caller vouches for the source.
   */
  public void writeFromPage(Object base, long baseOffset, int length) throws IOException {
    checkPartition();
    if (length <= pieceLimit - position) {
      memory.putFromPage(position, base, baseOffset, length);
      position += length;
      return;
    }
    long from = baseOffset;
    int left = length;
    while (left > 0) {
      int part = Math.min(left, room());
      memory.putFromPage(position, base, from, part);
      position += part;
      from += part;
      left -= part;
    }
  }

  private void writeByte(int value) throws IOException {
    checkPartition();
    room();
    memory.putByte(position++, (byte) value);
  }

  /** Bytes that can be written at once, more than 0. */
  private int room() throws IOException {
    if (position == pieceLimit) {
      if (position - pieceStart == chunkSize) {
        endPiece();
        if (position == memory.capacity()) {
          flush();
        }
        beginPiece();
      } else {
        makeRoom();
      }
    }
    return pieceLimit - position;
  }

  private void beginPiece() {
    pieceStart = position;
    pieceLimit = Math.min(position + chunkSize, memory.capacity());
  }

  /** Sends the complete pieces out and moves the beginning of the current one to the front. */
  private void makeRoom() throws IOException {
    int begun = position - pieceStart;
    int from = pieceStart;
    position = pieceStart;
    flush();
    // The parts may overlap, which the buffer's own move allows.
    ByteBuffer bytes = staging.bytes();
    bytes.limit(from + begun).position(from);
    bytes.compact();
    pieceStart = 0;
    position = begun;
    pieceLimit = Math.min(chunkSize, memory.capacity());
  }

  private void endPiece() {
    int length = position - pieceStart;
    if (length > 0) {
      if (pendings * 4 == pending.length) {
        pending = Arrays.copyOf(pending, 2 * pending.length);
      }
      int at = pendings * 4;
      pending[at] = partition;
      pending[at + 1] = length;
      pending[at + 2] = checksum(pieceStart, length);
      pending[at + 3] = flags;
      pendings++;
      closedBytes += length;
      output.add(partition, length);
    }
    pieceStart = position;
    pieceLimit = position;
  }

  private int checksum(int from, int length) {
    crc.reset();
    crc.update(range(from, length));
    return (int) crc.getValue();
  }

  private ByteBuffer range(int from, int length) {
    return staging.bytes().limit(from + length).position(from);
  }

  /** Sends the complete pieces out; they take the buffer from its start to {@code position}. */
  private void flush() throws IOException {
    if (pendings > 0) {
      Extent extent = file == null ? output.store(range(0, position)) : null;
      long at = 0;
      if (extent == null) {
        if (file == null) {
          file = output.openFile(run);
        }
        at = file.append(range(0, position));
      }
      for (int i = 0; i < 4 * pendings; i += 4) {
        if (extent != null) {
          index.add(
              pending[i],
              extent.regionId(),
              extent.offset() + (int) at,
              pending[i + 1],
              pending[i + 2],
              pending[i + 3]);
        } else {
          index.addDisk(pending[i], at, pending[i + 1], pending[i + 2], pending[i + 3]);
        }
        at += pending[i + 1];
      }
      pendings = 0;
    }
    position = 0;
    pieceStart = 0;
    pieceLimit = 0;
  }

  /** The current partition as a stream; closing it does nothing. The same object each time. */
  public OutputStream stream() {
    return stream;
  }

  /** Ends the run; gives back what was reserved and not used. Idempotent. */
  public void finish() throws IOException {
    if (staging == null) {
      return;
    }
    try {
      endPiece();
      flush();
      index.storeChains(output);
      if (file != null) {
        file.close();
      }
      if (closedBytes > 0) {
        output.finished(
            new FinishedRun(
                index.entries(),
                file == null ? null : file.path(),
                file == null ? 0 : file.size()));
      }
    } finally {
      abort();
    }
  }

  /** Gives the buffer back and closes the file; what was stored belongs to the output. */
  void abort() throws IOException {
    if (staging != null) {
      NativeBuffer buffer = staging;
      staging = null;
      output.giveBackStaging(buffer);
      memory = null;
      if (file != null) {
        file.close();
      }
    }
  }

  /** Bytes written so far in this run. */
  public long bytes() {
    return closedBytes + openBytes();
  }

  /** Bytes of the piece that is not complete. */
  int openBytes() {
    return position - pieceStart;
  }

  boolean ended() {
    return staging == null;
  }

  private void checkOpen() {
    if (staging == null) {
      throw new IllegalStateException("run " + run + " of " + output + " is finished");
    }
  }

  private void checkPartition() {
    checkOpen();
    if (partition < 0) {
      throw new IllegalStateException("no partition was begun in run " + run + " of " + output);
    }
  }

  /** The current partition as a stream. */
  private final class PartitionStream extends OutputStream {
    @Override
    public void write(int value) throws IOException {
      writeByte(value);
    }

    @Override
    public void write(byte[] bytes, int offset, int length) throws IOException {
      RunWriter.this.write(bytes, offset, length);
    }
  }
}
