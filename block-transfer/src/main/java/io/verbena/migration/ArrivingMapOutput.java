package io.verbena.migration;

import static io.verbena.migration.MigrationFormat.garbage;

import io.verbena.migration.MigrationFormat.Frame;
import io.verbena.migration.MigrationFormat.Header;
import io.verbena.store.MapOutput;
import io.verbena.store.RunWriter;
import io.verbena.store.ShuffleGoneException;
import io.verbena.store.ShuffleStore;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.function.Consumer;
import java.util.zip.CRC32C;

/**
 * A map output that comes from another executor, taken apart, checked and written into this store
 * while it comes, as a map task would write it: into the pool, or into the run's file when that is
 * full. Nobody sees anything of it before all of it was checked.
 *
 * <p>Threads: one at a time; another may close it.
 */
public final class ArrivingMapOutput implements AutoCloseable {
  /** How a transfer ended well. */
  public enum Outcome {
    /** The map output can be read here now. */
    PUBLISHED,

    /** It was here before; what came was dropped. */
    ALREADY_HERE,

    /** Nobody needs the shuffle any more; what came was dropped. */
    SHUFFLE_GONE
  }

  private static final int SCRATCH = 32 << 10;

  private final ShuffleStore store;
  private final int shuffleId;
  private final long mapId;
  private final Consumer<ArrivingMapOutput> ended;

  // What is being read now: the header or a frame, or the bytes of a piece.
  private final ByteBuffer head = ByteBuffer.allocate(MigrationFormat.HEADER_SIZE);
  private final byte[] scratch = new byte[SCRATCH];
  private final CRC32C crc = new CRC32C();
  private Header header;
  private Frame frame;
  private int left;

  private long frames;
  private long bytes;
  private int run = -1;
  private boolean skipping;
  private boolean closed;
  private volatile long lastNanos = System.nanoTime();
  private MapOutput output;
  private RunWriter writer;

  ArrivingMapOutput(
      ShuffleStore store, int shuffleId, long mapId, Consumer<ArrivingMapOutput> ended) {
    this.store = store;
    this.shuffleId = shuffleId;
    this.mapId = mapId;
    this.ended = ended;
  }

  /**
   * Takes all bytes of a buffer.
   *
   * @throws IOException when they are not what must come next, or cannot be written; the transfer
   *     has failed then, and its end is to be {@link #close}
   */
  public synchronized void accept(ByteBuffer from) throws IOException {
    checkOpen();
    lastNanos = System.nanoTime();
    while (from.hasRemaining() && !skipping) {
      if (left > 0) {
        takeBytes(from);
      } else {
        takeHead(from);
      }
    }
    from.position(from.limit());
  }

  private void takeHead(ByteBuffer from) throws IOException {
    if (header != null && frames == header.frames()) {
      throw garbage("%d bytes or more follow the last frame".formatted(from.remaining()));
    }
    int part = Math.min(head.remaining(), from.remaining());
    head.put(from.slice(from.position(), part));
    from.position(from.position() + part);
    if (head.hasRemaining()) {
      return;
    }
    head.flip();
    if (header == null) {
      begin(Header.parse(head));
    } else {
      begin(Frame.parse(head, frames));
    }
    head.clear().limit(MigrationFormat.FRAME_SIZE);
  }

  private void begin(Header begun) throws IOException {
    if (begun.shuffleId() != shuffleId || begun.mapId() != mapId) {
      throw garbage("expected map %d of shuffle %d, it is %s".formatted(mapId, shuffleId, begun));
    }
    header = begun;
    skipping = isHere();
    if (!skipping) {
      output = store.newMapOutput(shuffleId, begun.partitions(), mapId);
    }
  }

  private boolean isHere() {
    return store
        .lease(shuffleId)
        .map(
            lease -> {
              try (lease) {
                return lease.runs(mapId) > 0;
              }
            })
        .orElse(false);
  }

  private void begin(Frame next) throws IOException {
    boolean sameRun = next.run() == run;
    boolean sameBlock = sameRun && next.partition() == frame.partition();
    if (next.partition() < 0
        || next.partition() >= header.partitions()
        || (!sameRun && (next.run() != run + 1 || next.run() >= header.runs()))
        || (sameRun && next.partition() < frame.partition())
        || (sameBlock && next.flags() != frame.flags())
        || next.length() > header.bytes() - bytes) {
      throw garbage("frame %d, after %s of %s, is %s".formatted(frames, frame, header, next));
    }
    if (!sameRun) {
      if (writer != null) {
        writer.finish();
      }
      writer = output.newRun();
      run = next.run();
    }
    if (!sameBlock) {
      writer.partition(next.partition(), next.flags(), next.length());
    }
    frame = next;
    frames++;
    bytes += next.length();
    left = next.length();
    crc.reset();
  }

  private void takeBytes(ByteBuffer from) throws IOException {
    int part = Math.min(Math.min(left, from.remaining()), scratch.length);
    from.get(scratch, 0, part);
    crc.update(scratch, 0, part);
    writer.write(scratch, 0, part);
    left -= part;
    if (left == 0 && (int) crc.getValue() != frame.crc()) {
      throw garbage(
          "the %d bytes of frame %d (run %d, partition %d) do not match their checksum"
              .formatted(frame.length(), frames - 1, frame.run(), frame.partition()));
    }
  }

  /**
   * Ends the transfer: publishes what came when it is whole.
   *
   * @throws IOException when it is not, or cannot be published; nothing is left then
   */
  public synchronized Outcome finish() throws IOException {
    checkOpen();
    try {
      return skipping ? Outcome.ALREADY_HERE : publish();
    } finally {
      close();
    }
  }

  private Outcome publish() throws IOException {
    if (header == null) {
      throw garbage("it ended after %d bytes of the header".formatted(head.position()));
    }
    if (left > 0 || head.position() > 0 || frames < header.frames()) {
      throw garbage(
          "it ended in or after frame %d of %d, %d bytes short of that frame's end"
              .formatted(frames, header.frames(), left));
    }
    // A map output without bytes has one run, of which nothing came.
    boolean allRuns = run + 1 == header.runs() || (frames == 0 && header.runs() == 1);
    if (bytes != header.bytes() || !allRuns) {
      throw garbage("%d bytes in %d runs came of %s".formatted(bytes, run + 1, header));
    }
    try {
      output.commit();
      return Outcome.PUBLISHED;
    } catch (ShuffleGoneException e) {
      return Outcome.SHUFFLE_GONE;
    }
  }

  /** Whether nothing has come for so long. */
  boolean stalled(Duration limit) {
    return System.nanoTime() - lastNanos >= limit.toNanos();
  }

  private void checkOpen() {
    if (closed) {
      throw new IllegalStateException(
          "the transfer of map " + mapId + " of shuffle " + shuffleId + " has ended");
    }
  }

  /** Drops everything unless it was published. Idempotent. */
  @Override
  public synchronized void close() {
    if (closed) {
      return;
    }
    closed = true;
    try {
      if (output != null) {
        output.close();
      }
    } finally {
      ended.accept(this);
    }
  }
}
