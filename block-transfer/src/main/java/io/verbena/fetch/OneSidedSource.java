package io.verbena.fetch;

import io.verbena.table.CorruptTableException;
import io.verbena.table.StaleTableException;
import io.verbena.transport.OutOfRegionException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.List;

/**
 * Reads one peer's blocks with READs: batches of pieces into receive buffers, each batch judged by
 * the generation word that is read after it. A synchronous connection fills one buffer when the
 * task asks; others read ahead within the task's budget.
 *
 * <p>Threads: the task's.
 */
final class OneSidedSource extends BlockSource implements Segment.Pieces, BlockPlan.Source {
  /** Name of the way of bytes that are read out of a peer's run files. */
  static final String DISK = "disk";

  private final FetchTask task;
  private final Peer peer;
  private final List<BlockId> blocks;
  private final BlockPlan plan;
  private final RunFileReader files;
  private final ArrayDeque<Batch> batches = new ArrayDeque<>();
  private RemoteShuffle remote;
  private PeerLink.Route route;
  private boolean ended;
  private boolean renewed;
  private boolean readAgain;
  private int blocksInFlight;

  // The next piece to hand out.
  private int block;
  private int piece;
  // Of the segment that is out.
  private int segment;
  private int segmentBlock;

  /** Makes a source and takes over one use of the link. */
  OneSidedSource(
      FetchTask task, Peer peer, List<BlockId> blocks, RemoteShuffle remote, PeerLink.Route route) {
    this.task = task;
    this.peer = peer;
    this.blocks = blocks;
    this.remote = remote;
    this.route = route;
    this.plan = new BlockPlan(blocks, remote.table(), task.buffers().room(), this);
    this.files = new RunFileReader(remote.found().files(), task.shuffleId());
  }

  @Override
  boolean synchronous() {
    return route.connection().synchronous();
  }

  @Override
  boolean finished() {
    return ended;
  }

  @Override
  boolean midBlock() {
    return piece != 0;
  }

  @Override
  boolean outstanding() {
    Batch head = batches.peekFirst();
    return head != null && !head.complete();
  }

  @Override
  boolean ready() {
    Batch head = batches.peekFirst();
    return ended || (head != null && head.complete());
  }

  @Override
  Ask request(boolean urgent) throws FetchException {
    while (!ended) {
      try {
        if (blocksInFlight >= task.limits().maxBlocksPerPeer() && !urgent) {
          return Ask.LATER;
        }
        Piece next = plan.peek();
        if (next == null) {
          endWhenConsumed();
          return Ask.NO_MORE;
        }
        return readAhead(next, urgent);
      } catch (IOException e) {
        recover(e);
        if (!ended && synchronous()) {
          task.place(this);
          return Ask.NO_MORE;
        }
      }
    }
    return Ask.NO_MORE;
  }

  private Ask readAhead(Piece next, boolean urgent) throws IOException {
    if (!urgent && !task.budget().admits(next.length, 1)) {
      return Ask.NO_BUDGET;
    }
    try (TableReads reads = reads()) {
      reads.confirm();
    }
    // A task that holds nothing gets its first buffer whatever others hold.
    ReceiveBuffer buffer =
        urgent || task.budget().unused() ? task.buffers().take() : task.buffers().tryTake();
    if (buffer == null) {
      return Ask.NO_BUFFER;
    }
    Pending pending =
        new Pending(task.buffers(), buffer, task.arrivals(), () -> task.arrived(this));
    Batch batch = new Batch(pending);
    try {
      batch.fill(
          plan,
          (int) Math.min(buffer.data().capacity(), Math.max(next.length, task.budget().target())),
          Math.max(1, task.limits().maxBlocksPerPeer() - blocksInFlight));
      batch.post(this::readFile, route, remote.found().shuffle());
    } catch (IOException | RuntimeException e) {
      batch.release();
      throw e;
    }
    task.budget().take(batch.bytes(), batch.reads());
    blocksInFlight += batch.blocks();
    batches.add(batch);
    return Ask.ASKED;
  }

  private void readFile(Piece each, ByteBuffer into) throws IOException {
    try {
      files.read(blocks.get(each.block).mapId(), each.run, each.offset, into);
    } catch (IOException e) {
      throw failure(each.block, "its run's file cannot be read: " + e, e);
    }
  }

  /** Fills the one buffer of a synchronous connection; false at the end. */
  private boolean fill() throws IOException {
    long begin = System.nanoTime();
    Piece next = plan.peek();
    if (next == null) {
      return false;
    }
    Batch batch = new Batch(new Pending(task.buffers(), task.buffers().take(), null, null));
    boolean posted = false;
    try {
      batch.fill(plan, Math.max(next.length, Batch.STEP), Integer.MAX_VALUE);
      batch.post(this::readFile, route, remote.found().shuffle());
      posted = true;
    } finally {
      if (!posted) {
        batch.release();
      }
    }
    batches.add(batch);
    task.waited(System.nanoTime() - begin);
    return true;
  }

  /** The batch with the next piece, complete; null when there is none now, or at the end. */
  private Batch head() throws IOException {
    Batch batch = batches.peekFirst();
    if (batch == null && synchronous()) {
      if (!fill()) {
        ended = true;
        return null;
      }
      batch = batches.peekFirst();
    }
    if (batch == null) {
      endWhenConsumed();
      return null;
    }
    return batch.complete() ? batch : null;
  }

  private void endWhenConsumed() {
    if (batches.isEmpty() && plan.atEnd()) {
      ended = true;
    }
  }

  @Override
  Segment next() throws FetchException {
    while (!ended) {
      try {
        Batch batch = head();
        if (batch == null) {
          return null;
        }
        Piece first = batch.peek();
        ByteBuffer bytes = take(batch);
        segment = first.segment;
        segmentBlock = first.block;
        String transport = first.segmentOnDisk ? DISK : route.name();
        return new Segment(
            task.shuffleId(),
            peer,
            blocks.get(first.block),
            transport,
            first.flags,
            first.segmentLength,
            first.segmentLastOfBlock,
            bytes,
            this);
      } catch (IOException e) {
        recover(e);
        if (!ended && !synchronous()) {
          task.place(this);
          return null;
        }
      }
    }
    return null;
  }

  @Override
  public ByteBuffer nextPiece(Segment of) throws FetchException {
    releaseConsumed();
    while (true) {
      try {
        Batch batch = head();
        if (batch != null) {
          return take(batch);
        }
        if (ended) {
          throw failure(segmentBlock, "its pieces ended early");
        }
        if (batches.isEmpty()) {
          request(true);
        } else {
          task.awaitArrival(this);
        }
      } catch (IOException e) {
        recover(e);
      }
    }
  }

  /** Takes the next piece out of its batch: checked, ready to be handed out. */
  private ByteBuffer take(Batch batch) throws IOException {
    TableReads.check(batch.pending(), remote);
    Piece next = batch.peek();
    ByteBuffer bytes = batch.bytes(next);
    if (!task.matches(bytes, next.crc)) {
      readOnceMore(batch, next);
      bytes = batch.bytes(next);
    }
    batch.take();
    readAgain = false;
    block = next.lastOfBlock ? next.block + 1 : next.block;
    piece = next.lastOfBlock ? 0 : next.index + 1;
    return bytes;
  }

  private void readOnceMore(Batch batch, Piece next) throws IOException {
    task.counters().checksumFailures.increment();
    task.counters().rereads.increment();
    int sum;
    try (TableReads again = reads()) {
      ByteBuffer bytes = again.buffer().window(0, next.length);
      if (next.onDisk()) {
        readFile(next, bytes);
      } else {
        again.piece(next);
      }
      bytes = again.buffer().window(0, next.length);
      if (task.matches(bytes, next.crc)) {
        batch.bytes(next).put(bytes);
        return;
      }
      sum = again.buffer().data().crc32c(0, next.length);
    }
    task.counters().checksumFailures.increment();
    throw failure(
        next.block,
        "%d bytes at %d of %s do not match their checksum after a second READ: %08x, not %08x"
            .formatted(
                next.length,
                next.offset,
                next.onDisk() ? "the file of run " + next.run : "region " + next.region,
                sum,
                next.crc));
  }

  @Override
  public void closed(Segment of) {
    // Pieces of it that were not read: those asked for are dropped, others never asked for.
    releaseConsumed();
    for (Batch head = batches.peekFirst(); head != null; head = batches.peekFirst()) {
      Piece next = head.peek();
      if (next.block != segmentBlock || next.segment != segment) {
        break;
      }
      head.take();
      moveTo(next);
      releaseConsumed();
    }
    if (batches.isEmpty()) {
      plan.skip(segmentBlock, segment);
      block = plan.block();
      piece = plan.piece();
    }
  }

  private void moveTo(Piece taken) {
    block = taken.lastOfBlock ? taken.block + 1 : taken.block;
    piece = taken.lastOfBlock ? 0 : taken.index + 1;
  }

  /** Gives the head batch back when all of its pieces were handed out. */
  private void releaseConsumed() {
    Batch head = batches.peekFirst();
    if (head != null && head.peek() == null) {
      batches.pollFirst();
      drop(head);
      task.consumed(this);
    }
  }

  private void drop(Batch batch) {
    if (!synchronous()) {
      task.budget().give(batch.bytes(), batch.reads());
      blocksInFlight -= batch.blocks();
    }
    batch.release();
  }

  private void dropAll() {
    batches.forEach(this::drop);
    batches.clear();
  }

  /** Goes on after a failure from the next piece to hand out, or throws. */
  private void recover(IOException cause) throws FetchException {
    dropAll();
    if (cause instanceof FetchException mine) {
      throw mine;
    }
    plan.seek(block, piece);
    if (cause instanceof StaleTableException) {
      renew(cause);
    } else if (cause instanceof CorruptTableException || cause instanceof OutOfRegionException) {
      if (readAgain) {
        throw failure(block, cause.getMessage(), cause);
      }
      readAgain = true;
      plan.readAgain(block, piece);
      task.counters().rereads.increment();
    } else {
      fall(cause);
    }
  }

  private void renew(IOException stale) throws FetchException {
    RemoteShuffle next = null;
    if (!renewed && piece == 0) {
      renewed = true;
      try {
        next = task.remotes().renew(peer.executorId(), remote);
      } catch (IOException e) {
        stale.addSuppressed(e);
      }
    }
    if (next == null) {
      throw failure(block, stale.getMessage(), stale);
    }
    PeerLink.Route to = next.link().route();
    task.remotes().release(remote.link());
    remote = next;
    if (to == null) {
      leave(stale);
    } else {
      route = to;
      plan.table(next.table(), block);
    }
  }

  private void fall(IOException cause) throws FetchException {
    String reason = String.valueOf(cause.getMessage());
    FallKind kind = cause instanceof ReadTimeoutException ? FallKind.SILENT : FallKind.BROKEN;
    PeerLink.Route to = remote.link().fall(route, kind, reason);
    if (to == null) {
      leave(cause);
    } else {
      route = to;
    }
  }

  /** No one-sided transport is left: the block service has the rest, if there is one. */
  private void leave(IOException cause) throws FetchException {
    if (piece != 0 || !task.hasService()) {
      throw failure(block, cause.getMessage(), cause);
    }
    task.serve(peer, plan.rest(block));
    ended = true;
  }

  @Override
  void timedOut() throws FetchException {
    recover(new ReadTimeoutException(task.limits().timeout().toMillis()));
    if (!ended) {
      task.place(this);
    }
  }

  @Override
  public TableReads reads() {
    return new TableReads(
        task.buffers(), task.counters(), route, remote, Arrivals.nanos(task.limits().timeout()));
  }

  @Override
  public boolean reachesFile(BlockId id, int run, long size) {
    return files.reaches(id.mapId(), run, size);
  }

  @Override
  public void divert(int index) throws FetchException {
    if (!task.hasService()) {
      throw failure(
          index, "its run's file is out of reach for this process, and no block service is in use");
    }
    task.serve(peer, List.of(blocks.get(index)));
  }

  @Override
  public FetchException failure(int index, String message) {
    return failure(index, message, null);
  }

  private FetchException failure(int index, String message, Throwable cause) {
    BlockId id = blocks.get(Math.min(index, blocks.size() - 1));
    return new FetchException(peer, task.shuffleId(), id, route.name(), message, cause);
  }

  @Override
  void close() {
    if (remote != null) {
      dropAll();
      files.close();
      task.remotes().release(remote.link());
      remote = null;
      ended = true;
    }
  }
}
