package io.verbena.fetch;

import java.io.InputStream;
import java.nio.ByteBuffer;
import java.util.Objects;

/**
 * A segment and its stream in one object. Holds one checked piece at a time and asks its source for
 * the next.
 *
 * <p>Threads: the task's.
 */
final class Segment extends InputStream implements FetchedSegment {
  private static final ByteBuffer NOTHING = ByteBuffer.allocate(0);

  /** Where further pieces come from. */
  interface Pieces {
    /** The next piece of the segment, checked; position and limit are the segment's to move. */
    ByteBuffer nextPiece(Segment segment) throws FetchException;

    /** The segment wants nothing more. Called once. */
    void closed(Segment segment);
  }

  private final int shuffleId;
  private final Peer peer;
  private final BlockId block;
  private final String transport;
  private final int flags;
  private final long length;
  private final boolean lastOfBlock;
  private final Pieces pieces;
  private ByteBuffer piece;
  // Bytes of pieces after the current one.
  private long toCome;
  private boolean open = true;

  Segment(
      int shuffleId,
      Peer peer,
      BlockId block,
      String transport,
      int flags,
      long length,
      boolean lastOfBlock,
      ByteBuffer first,
      Pieces pieces) {
    this.shuffleId = shuffleId;
    this.peer = peer;
    this.block = block;
    this.transport = transport;
    this.flags = flags;
    this.length = length;
    this.lastOfBlock = lastOfBlock;
    this.piece = first;
    this.toCome = length - first.remaining();
    this.pieces = pieces;
  }

  @Override
  public Peer peer() {
    return peer;
  }

  @Override
  public BlockId block() {
    return block;
  }

  @Override
  public String transport() {
    return transport;
  }

  @Override
  public boolean compressed() {
    return (flags & io.verbena.table.Entry.COMPRESSED) != 0;
  }

  @Override
  public boolean encrypted() {
    return (flags & io.verbena.table.Entry.ENCRYPTED) != 0;
  }

  @Override
  public long length() {
    return length;
  }

  /** Whether no segment of its block follows. */
  boolean lastOfBlock() {
    return lastOfBlock;
  }

  @Override
  public InputStream stream() {
    return this;
  }

  @Override
  public int read() throws FetchException {
    if (!piece.hasRemaining() && !more()) {
      return -1;
    }
    return piece.get() & 0xff;
  }

  @Override
  public int read(byte[] to, int offset, int count) throws FetchException {
    Objects.checkFromIndexSize(offset, count, to.length);
    if (count == 0) {
      return 0;
    }
    if (!piece.hasRemaining() && !more()) {
      return -1;
    }
    int n = Math.min(count, piece.remaining());
    piece.get(to, offset, n);
    return n;
  }

  @Override
  public long skip(long count) throws FetchException {
    long left = count;
    while (left > 0 && (piece.hasRemaining() || more())) {
      int n = (int) Math.min(left, piece.remaining());
      piece.position(piece.position() + n);
      left -= n;
    }
    return Math.max(0, count) - Math.max(0, left);
  }

  @Override
  public int available() {
    return piece.remaining();
  }

  private boolean more() throws FetchException {
    if (toCome == 0) {
      return false;
    }
    piece = NOTHING;
    piece = pieces.nextPiece(this);
    toCome -= piece.remaining();
    return true;
  }

  @Override
  public FetchException corrupt(Throwable cause) {
    return new FetchException(
        peer, shuffleId, block, transport, "its bytes cannot be decoded: " + cause, cause);
  }

  @Override
  public void close() {
    if (open) {
      open = false;
      piece = NOTHING;
      toCome = 0;
      pieces.closed(this);
    }
  }
}
