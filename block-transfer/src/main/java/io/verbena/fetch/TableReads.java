package io.verbena.fetch;

import io.verbena.memory.MemoryView;
import io.verbena.store.ShuffleDescriptor;
import io.verbena.table.Control;
import io.verbena.table.CorruptTableException;
import io.verbena.table.Entry;
import io.verbena.table.EntryList;
import io.verbena.table.StaleTableException;
import io.verbena.table.TableSource;
import io.verbena.transport.Connection;
import io.verbena.transport.Read;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.CRC32C;

/**
 * Waiting READs of one peer's memory, each batch followed by one of the generation word.
 *
 * <p>Threads: the task's. {@link #into} is scratch memory until the next call.
 */
final class TableReads implements TableSource, AutoCloseable {
  // A chain of a block of a gigabyte; the list grows beyond it once that much was really read.
  private static final int CHAIN_ENTRIES = 1024;

  private final ReceiveBuffers pool;
  private final FetchCounters counters;
  private final PeerLink.Route route;
  private final RemoteShuffle remote;
  private final long timeoutNanos;
  private ReceiveBuffer buffer;

  TableReads(
      ReceiveBuffers pool,
      FetchCounters counters,
      PeerLink.Route route,
      RemoteShuffle remote,
      long timeoutNanos) {
    this.pool = pool;
    this.counters = counters;
    this.route = route;
    this.remote = remote;
    this.timeoutNanos = timeoutNanos;
  }

  /** Memory to read into. */
  MemoryView into() {
    return buffer().data();
  }

  ReceiveBuffer buffer() {
    if (buffer == null) {
      buffer = pool.take();
    }
    return buffer;
  }

  @Override
  public void read(List<Range> ranges, MemoryView into) throws IOException {
    if (into != buffer().data()) {
      throw new IllegalArgumentException("not the memory that into() gave");
    }
    counters.tableReads.add(ranges.size());
    readRanges(ranges);
  }

  /** Reads a piece of a block into {@link #buffer}, from its start. */
  void piece(Piece piece) throws IOException {
    buffer();
    readRanges(List.of(new Range(piece.region, (int) piece.offset, piece.length)));
  }

  /**
   * Sees to it that the shuffle was seen alive not long ago: before READs of its memory are posted.
   *
   * @throws StaleTableException when it was removed there
   */
  void confirm() throws IOException {
    if (!remote.sighting().recent() && !route.connection().synchronous()) {
      buffer();
      post(List.of());
    }
  }

  private void readRanges(List<Range> ranges) throws IOException {
    confirm();
    post(ranges);
  }

  private void post(List<Range> ranges) throws IOException {
    Pending pending = new Pending(pool, buffer, null, null);
    List<Read> reads = new ArrayList<>(ranges.size() + 1);
    int at = 0;
    for (Range range : ranges) {
      reads.add(
          new Read(range.region(), range.offset(), range.length(), buffer.whole(), at, pending));
      at += range.length();
    }
    reads.add(generationRead(remote.found().shuffle(), buffer, pending));
    pending.post(route, reads);
    finish(pending);
  }

  /**
   * Reads a chain: an array of entries with one checksum.
   *
   * @throws CorruptTableException when it does not match its checksum
   */
  EntryList chain(int region, int offset, int length, int crc) throws IOException {
    EntryList entries = new EntryList(Math.min(length / Entry.SIZE, CHAIN_ENTRIES));
    CRC32C sum = new CRC32C();
    int room = into().capacity() & -Entry.SIZE;
    for (int done = 0; done < length; done += room) {
      int part = Math.min(room, length - done);
      read(List.of(new Range(region, offset + done, part)), into());
      sum.update(buffer.window(0, part));
      entries.addAll(into(), part);
    }
    if ((int) sum.getValue() != crc) {
      throw new CorruptTableException(
          "the chain of %d bytes in region %d at %d does not match its checksum"
              .formatted(length, region, Integer.toUnsignedLong(offset)));
    }
    return entries;
  }

  long timeoutNanos() {
    return timeoutNanos;
  }

  private void finish(Pending pending) throws IOException {
    boolean ended = false;
    try {
      ended = pending.await(timeoutNanos);
    } finally {
      if (!ended) {
        // Its READs may still write: it returns to the pool with the last of them.
        buffer = null;
        pending.release();
      }
    }
    if (!ended) {
      throw new ReadTimeoutException(timeoutNanos / 1_000_000);
    }
    check(pending, remote);
  }

  /** A READ of the shuffle's generation word into the buffer's trailer. */
  static Read generationRead(
      ShuffleDescriptor shuffle, ReceiveBuffer buffer, Read.Completion completion) {
    // So that a READ that fails is told from one that shows another generation.
    buffer.whole().putLong(buffer.wordOffset(), shuffle.generation());
    return new Read(
        Connection.CONTROL,
        Control.wordOffset(shuffle.word()),
        Long.BYTES,
        buffer.whole(),
        buffer.wordOffset(),
        completion);
  }

  /**
   * Checks that the shuffle was alive after the READs and that all of them have succeeded. In this
   * order: what a removed shuffle's table names may not exist any more.
   */
  static void check(Pending pending, RemoteShuffle remote) throws IOException {
    ShuffleDescriptor shuffle = remote.found().shuffle();
    ReceiveBuffer buffer = pending.buffer();
    long now = buffer.whole().getLong(buffer.wordOffset());
    if (now != shuffle.generation()) {
      throw new StaleTableException(
          "the shuffle was removed there: its generation word holds "
              + now
              + ", expected "
              + shuffle.generation());
    }
    if (pending.failure() != null) {
      throw pending.failure();
    }
    remote.sighting().at(pending.postedNanos());
  }

  @Override
  public void close() {
    if (buffer != null) {
      pool.give(buffer);
      buffer = null;
    }
  }
}
