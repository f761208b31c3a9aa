package io.verbena.fetch;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Set;

/**
 * Blocks of one peer by its block service. Blocks are handed out in the order in which they come.
 *
 * <p>Threads: the task's, except the listener, which only passes on what comes.
 */
final class ServiceSource extends BlockSource implements Segment.Pieces {
  static final String TRANSPORT = "netty";

  private final FetchTask task;
  private final BlockService service;
  private final Peer peer;
  private final ArrayDeque<BlockId> wanted;
  private final long bytesPerBlock;
  private final Set<BlockId> inFlight = new HashSet<>();
  private final Set<BlockId> askedAgain = new HashSet<>();
  private final ArrayDeque<Come> come = new ArrayDeque<>();

  private Come current;
  private Iterator<BlockFrames.Framed> segments;
  private BlockFrames.Framed segment;
  private int nextPiece;

  /** A block or its failure, on the way from the service's thread to the task's. */
  private final class Come implements Arrivals.Arrival {
    final BlockId block;
    final ByteBuffer frames;
    final Runnable release;
    final IOException failure;

    Come(BlockId block, ByteBuffer frames, Runnable release, IOException failure) {
      this.block = block;
      this.frames = frames;
      this.release = release;
      this.failure = failure;
    }

    @Override
    public void arrive() {
      if (inFlight.remove(block)) {
        come.add(this);
        task.arrived(ServiceSource.this);
      } else {
        discard(); // answered twice, or after it was given up
      }
    }

    @Override
    public void discard() {
      if (release != null) {
        release.run();
      }
    }
  }

  /**
   * Makes a source.
   *
   * @param bytes estimated bytes of all blocks
   */
  ServiceSource(FetchTask task, BlockService service, Peer peer, List<BlockId> blocks, long bytes) {
    this.task = task;
    this.service = service;
    this.peer = peer;
    this.wanted = new ArrayDeque<>(blocks);
    this.bytesPerBlock = Math.max(1, bytes / Math.max(1, blocks.size()));
  }

  /** More blocks of the same peer. */
  void add(List<BlockId> blocks) {
    wanted.addAll(blocks);
  }

  @Override
  boolean synchronous() {
    return false;
  }

  @Override
  boolean ready() {
    return finished() || midBlock() || !come.isEmpty();
  }

  @Override
  boolean midBlock() {
    return segments != null && segments.hasNext();
  }

  @Override
  boolean finished() {
    return wanted.isEmpty() && inFlight.isEmpty() && come.isEmpty() && !midBlock();
  }

  @Override
  boolean outstanding() {
    return !inFlight.isEmpty();
  }

  @Override
  Ask request(boolean urgent) {
    if (wanted.isEmpty()) {
      return Ask.NO_MORE;
    }
    int room = task.limits().maxBlocksPerPeer() - inFlight.size();
    if (room <= 0 && !urgent) {
      return Ask.LATER;
    }
    if (!urgent && !task.budget().admits(bytesPerBlock, 1)) {
      return Ask.NO_BUDGET;
    }
    List<BlockId> request = new ArrayList<>();
    long bytes = 0;
    do {
      BlockId block = wanted.poll();
      request.add(block);
      inFlight.add(block);
      bytes += bytesPerBlock;
      task.budget().take(bytesPerBlock, 1);
    } while (!wanted.isEmpty()
        && request.size() < room
        && bytes + bytesPerBlock <= task.budget().target()
        && task.budget().admits(bytesPerBlock, 1));
    ask(request);
    return Ask.ASKED;
  }

  private void ask(List<BlockId> request) {
    Arrivals arrivals = task.arrivals();
    service.fetch(
        peer,
        task.shuffleId(),
        request,
        new BlockService.Listener() {
          @Override
          public void received(BlockId block, ByteBuffer frames, Runnable release) {
            arrivals.add(new Come(block, frames, release, null));
          }

          @Override
          public void failed(BlockId block, IOException cause) {
            arrivals.add(new Come(block, null, null, cause));
          }
        });
  }

  @Override
  Segment next() throws FetchException {
    while (true) {
      if (midBlock()) {
        segment = segments.next();
        nextPiece = 0;
        return new Segment(
            task.shuffleId(),
            peer,
            current.block,
            TRANSPORT,
            segment.flags(),
            segment.length(),
            !segments.hasNext(),
            nextPiece(null),
            this);
      }
      endBlock();
      current = come.poll();
      if (current == null) {
        return null;
      }
      enter();
    }
  }

  /** Takes the block apart and checks all of it, so that it can still be asked for again. */
  private void enter() throws FetchException {
    BlockId block = current.block;
    if (current.failure != null) {
      throw failure(block, String.valueOf(current.failure.getMessage()), current.failure);
    }
    try {
      List<BlockFrames.Framed> list = BlockFrames.decode(current.frames, task.shuffleId(), block);
      for (BlockFrames.Framed framed : list) {
        for (int i = 0; i < framed.pieces().size(); i++) {
          if (!task.matches(framed.pieces().get(i), framed.crcs().get(i))) {
            task.counters().checksumFailures.increment();
            throw new IOException(
                "%d bytes of run %d do not match their checksum"
                    .formatted(framed.pieces().get(i).remaining(), framed.run()));
          }
        }
      }
      if (list.isEmpty()) {
        throw new IOException("the executor says that the block is empty");
      }
      segments = list.iterator();
    } catch (IOException e) {
      endBlock();
      if (!askedAgain.add(block)) {
        throw failure(block, e.getMessage() + ", also when it was asked for again", e);
      }
      task.counters().rereads.increment();
      task.budget().take(bytesPerBlock, 1);
      inFlight.add(block);
      ask(List.of(block));
    }
  }

  @Override
  public ByteBuffer nextPiece(Segment of) throws FetchException {
    if (nextPiece == segment.pieces().size()) {
      throw failure(current.block, "its pieces ended early", null);
    }
    return segment.pieces().get(nextPiece++);
  }

  @Override
  public void closed(Segment of) {
    if (!midBlock()) {
      endBlock();
    }
  }

  private void endBlock() {
    if (current != null) {
      current.discard();
      current = null;
      segments = null;
      task.budget().give(bytesPerBlock, 1);
      task.consumed(this);
    }
  }

  private FetchException failure(BlockId block, String message, Throwable cause) {
    return new FetchException(peer, task.shuffleId(), block, TRANSPORT, message, cause);
  }

  @Override
  void timedOut() throws FetchException {
    throw failure(
        inFlight.iterator().next(),
        "no answer within " + task.limits().timeout().toMillis() + " ms",
        null);
  }

  @Override
  void close() {
    endBlock();
    come.forEach(Come::discard);
    come.clear();
    wanted.clear();
    inFlight.clear();
  }
}
