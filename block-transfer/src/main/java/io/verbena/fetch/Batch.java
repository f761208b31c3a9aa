package io.verbena.fetch;

import io.verbena.store.ShuffleDescriptor;
import io.verbena.transport.Read;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/**
 * Pieces that are read together into one buffer.
 *
 * <p>Threads: the task's.
 */
final class Batch {
  /** Bytes that a synchronous batch of small pieces has: they stay in the cache until read. */
  static final int STEP = 256 << 10;

  /** Reads a piece out of a file. */
  @FunctionalInterface
  interface FileBytes {
    void read(Piece piece, ByteBuffer into) throws IOException;
  }

  private final Pending pending;
  private final ArrayList<Piece> pieces = new ArrayList<>();
  private int next;
  private int bytes;
  private int blocks;
  private int reads;

  Batch(Pending pending) {
    this.pending = pending;
  }

  /** Takes pieces from the plan: at least one, and no more than fit. */
  void fill(BlockPlan plan, int maxBytes, int maxBlocks) throws IOException {
    int room = Math.min(maxBytes, pending.buffer().data().capacity());
    int last = -1;
    for (Piece piece = plan.peek(); piece != null; piece = plan.peek()) {
      boolean newBlock = piece.block != last;
      if (!pieces.isEmpty() && (piece.length > room - bytes || (newBlock && blocks == maxBlocks))) {
        return;
      }
      piece.at = bytes;
      bytes += piece.length;
      blocks += newBlock ? 1 : 0;
      last = piece.block;
      pieces.add(piece);
      plan.advance();
    }
  }

  /** Reads what lies in files, then posts READs for the rest and for the generation word. */
  void post(FileBytes files, PeerLink.Route route, ShuffleDescriptor shuffle) throws IOException {
    ReceiveBuffer buffer = pending.buffer();
    List<Read> list = new ArrayList<>(pieces.size() + 1);
    int i = 0;
    while (i < pieces.size()) {
      Piece first = pieces.get(i++);
      if (first.onDisk()) {
        files.read(first, buffer.window(first.at, first.length));
        continue;
      }
      int length = first.length;
      while (i < pieces.size() && follows(pieces.get(i), first, length)) {
        length += pieces.get(i++).length;
      }
      list.add(
          new Read(
              first.region,
              (int) first.offset,
              length,
              buffer.whole(),
              first.at,
              pending,
              false)); // the generation word that follows judges them all
    }
    reads = list.size();
    list.add(TableReads.generationRead(shuffle, buffer, pending));
    pending.post(route, list);
  }

  private static boolean follows(Piece piece, Piece first, int length) {
    return piece.region == first.region && piece.offset == first.offset + length;
  }

  Pending pending() {
    return pending;
  }

  boolean complete() {
    return pending.complete();
  }

  /** The next piece to hand out, null when all were. */
  Piece peek() {
    return next < pieces.size() ? pieces.get(next) : null;
  }

  void take() {
    next++;
  }

  /** A piece's bytes; the same buffer object for all pieces. */
  ByteBuffer bytes(Piece piece) {
    return pending.buffer().window(piece.at, piece.length);
  }

  int bytes() {
    return bytes;
  }

  int blocks() {
    return blocks;
  }

  int reads() {
    return reads;
  }

  /** Gives the buffer up: it returns to the pool when nobody writes into it any more. */
  void release() {
    pending.release();
  }
}
