package io.verbena.spark;

import java.io.IOException;
import java.util.Arrays;
import org.apache.spark.memory.TaskMemoryManager;
import org.apache.spark.unsafe.Platform;

/**
 * Serialised records of a map task in pages of Spark's memory, each partition's one after the other
 * in chunks: nothing is sorted, and what is written out is long stretches. For as many partitions
 * as have the ends of their chunks in the processor's cache.
 *
 * <p>A chunk is twice as large as the one before of its partition, up to a limit, so that little
 * memory lies idle whether records are few or many.
 */
final class PartitionPages extends MovedRecords {
  /**
   * Partitions at most. Records of 100 bytes take 0.35 to 0.40 of the time that {@link RecordPages}
   * need with 8 to 1,000 partitions and 0.75 with 10,000, where those of 1,000 bytes take longer
   * ({@code bin/bench micro MovingRecords}); with two records a partition they are even at 500.
   */
  static final int MAX_PARTITIONS = 1_024;

  private static final int FIRST_CHUNK = 1 << 10;
  private static final int LARGEST_CHUNK = 64 << 10;

  /** A page's last bytes are lost when a chunk does not fit; this bounds them. */
  private static final int CHUNKS_OF_A_PAGE = 16;

  /** Takes bytes of a page: an offset in an object, or an address when {@code base} is null. */
  @FunctionalInterface
  interface Sink {
    void write(Object base, long offset, int length) throws IOException;
  }

  private final Spiller<PartitionPages> spiller;
  private final int largestChunk;
  private final Part[] parts;
  private boolean empty = true;

  PartitionPages(TaskMemoryManager memory, int partitions, Spiller<PartitionPages> spiller) {
    super(memory, memory.pageSizeBytes(), memory.getTungstenMemoryMode());
    this.spiller = spiller;
    this.largestChunk = (int) Math.min(LARGEST_CHUNK, memory.pageSizeBytes() / CHUNKS_OF_A_PAGE);
    this.parts = new Part[partitions];
  }

  @Override
  void insert(byte[] bytes, int length, int partition) throws IOException {
    Part part = parts[partition];
    if (part == null) {
      part = new Part();
      parts[partition] = part;
    }
    if (length <= part.room()) {
      part.append(bytes, 0, length);
    } else {
      insertIntoNextChunk(part, bytes, length);
    }
    empty = false;
  }

  /** Fills the chunk up and goes on in the next, which is had before the first byte is written. */
  private void insertIntoNextChunk(Part part, byte[] bytes, int length) throws IOException {
    int first;
    long size;
    while (true) {
      first = part.room();
      size = Math.max(part.nextChunk(largestChunk), (length - first + 7L) & ~7L);
      if (pageHas(size)) {
        break;
      }
      // Getting memory may make a run of everything, this partition's chunk included: look again.
      nextPage(size);
    }
    part.append(bytes, 0, first);
    part.begin(page.getBaseObject(), cursor, size);
    cursor += size;
    part.append(bytes, first, length - first);
  }

  @Override
  void writeRun() throws IOException {
    spiller.spill(this);
  }

  @Override
  boolean isEmpty() {
    return empty;
  }

  int partitions() {
    return parts.length;
  }

  /** Bytes of a partition. */
  long bytes(int partition) {
    Part part = parts[partition];
    return part == null ? 0 : part.bytes();
  }

  /** Hands a partition's bytes out. */
  void drain(int partition, Sink sink) throws IOException {
    Part part = parts[partition];
    for (int chunk = 0; part != null && chunk < part.chunks; chunk++) {
      sink.write(part.bases[chunk], part.starts[chunk], part.length(chunk));
    }
  }

  @Override
  void release() {
    freePages();
    empty = true;
    for (Part part : parts) {
      if (part != null) {
        part.clear();
      }
    }
  }

  /** A partition's chunks; the last one grows. */
  private static final class Part {
    private Object[] bases;
    private long[] starts;
    private int[] lengths;
    private int chunks;

    // The last chunk.
    private Object base;
    private long cursor;
    private long end;

    Part() {
      clear();
    }

    void clear() {
      bases = new Object[1];
      starts = new long[1];
      lengths = new int[1];
      chunks = 0;
      base = null;
      cursor = 0;
      end = 0;
    }

    int room() {
      return (int) (end - cursor);
    }

    long nextChunk(int largest) {
      return Math.min(chunks == 0 ? FIRST_CHUNK : 2L * lengths[chunks - 1], largest);
    }

    void append(byte[] bytes, int from, int length) {
      Platform.copyMemory(bytes, Platform.BYTE_ARRAY_OFFSET + from, base, cursor, length);
      cursor += length;
    }

    void begin(Object ofPage, long start, long bytes) {
      if (chunks == bases.length) {
        bases = Arrays.copyOf(bases, 2 * chunks);
        starts = Arrays.copyOf(starts, 2 * chunks);
        lengths = Arrays.copyOf(lengths, 2 * chunks);
      }
      bases[chunks] = ofPage;
      starts[chunks] = start;
      // Filled up before the next begins.
      lengths[chunks] = (int) bytes;
      chunks++;
      base = ofPage;
      cursor = start;
      end = start + bytes;
    }

    int length(int chunk) {
      return chunk == chunks - 1 ? (int) (cursor - starts[chunk]) : lengths[chunk];
    }

    long bytes() {
      long all = 0;
      for (int chunk = 0; chunk < chunks; chunk++) {
        all += length(chunk);
      }
      return all;
    }
  }
}
