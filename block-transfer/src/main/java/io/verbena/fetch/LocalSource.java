package io.verbena.fetch;

import static io.verbena.log.LogKey.PATH;

import io.verbena.log.KeyedLogger;
import io.verbena.store.LocalSegment;
import io.verbena.store.ShuffleLease;
import io.verbena.store.ShuffleStore;
import io.verbena.table.CorruptTableException;
import io.verbena.transport.PositionFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;

/**
 * This executor's own blocks, held by a lease until the task ends, and checked like all others.
 *
 * <p>Threads: the task's.
 */
final class LocalSource extends BlockSource implements Segment.Pieces {
  private static final KeyedLogger LOG = KeyedLogger.of(LocalSource.class);

  static final String TRANSPORT = "local";

  private final FetchTask task;
  private final Peer peer;
  private final Iterator<BlockId> blocks;
  private final ShuffleStore store;
  private ShuffleLease lease;
  private ReceiveBuffer buffer;
  private PositionFile file;
  private Path filePath;

  private BlockId block;
  private List<LocalSegment> segments = List.of();
  private int nextSegment;
  private LocalSegment segment;
  private int nextPiece;

  LocalSource(FetchTask task, Peer peer, List<BlockId> blocks, ShuffleStore store) {
    this.task = task;
    this.peer = peer;
    this.blocks = blocks.iterator();
    this.store = store;
  }

  @Override
  boolean synchronous() {
    return true;
  }

  @Override
  Ask request(boolean urgent) {
    return Ask.NO_MORE;
  }

  @Override
  boolean ready() {
    return true;
  }

  @Override
  boolean midBlock() {
    return nextSegment < segments.size();
  }

  @Override
  boolean finished() {
    return !midBlock() && !blocks.hasNext();
  }

  @Override
  boolean outstanding() {
    return false;
  }

  @Override
  void timedOut() {
    throw new IllegalStateException("nothing is waited for");
  }

  @Override
  Segment next() throws FetchException {
    if (finished()) {
      return null;
    }
    if (!midBlock()) {
      enter(blocks.next());
    }
    segment = segments.get(nextSegment++);
    nextPiece = 0;
    return new Segment(
        task.shuffleId(),
        peer,
        block,
        TRANSPORT,
        segment.flags(),
        segment.length(),
        !midBlock(),
        piece(),
        this);
  }

  private void enter(BlockId next) throws FetchException {
    block = next;
    if (lease == null) {
      lease =
          Optional.ofNullable(store)
              .flatMap(s -> s.lease(task.shuffleId()))
              .orElseThrow(
                  () -> failure("this executor holds nothing of the shuffle any more", null));
    }
    Optional<List<LocalSegment>> found;
    try {
      found = lease.block(next.mapId(), next.partition());
    } catch (CorruptTableException e) {
      throw failure(e.getMessage(), e);
    }
    segments = found.orElseThrow(() -> failure("the map output is not here", null));
    nextSegment = 0;
    if (segments.isEmpty()) {
      throw failure("the location table says that the block is empty", null);
    }
  }

  @Override
  public ByteBuffer nextPiece(Segment of) throws FetchException {
    if (nextPiece == segment.pieces().size()) {
      throw failure("its pieces ended early", null);
    }
    return piece();
  }

  private ByteBuffer piece() throws FetchException {
    LocalSegment.Piece piece = segment.pieces().get(nextPiece++);
    try {
      ByteBuffer bytes = bytes(piece);
      if (task.matches(bytes, piece.crc())) {
        return bytes;
      }
      task.counters().checksumFailures.increment();
      task.counters().rereads.increment();
      bytes = bytes(piece);
      if (task.matches(bytes, piece.crc())) {
        return bytes;
      }
    } catch (IOException e) {
      throw failure("run " + segment.run() + " cannot be read: " + e, e);
    }
    task.counters().checksumFailures.increment();
    throw failure(
        "%d bytes of run %d do not match their checksum".formatted(piece.length(), segment.run()),
        null);
  }

  private ByteBuffer bytes(LocalSegment.Piece piece) throws IOException {
    if (piece.viewIsQuick()) {
      return piece.view().buffer(0, piece.length());
    }
    if (buffer == null) {
      buffer = task.buffers().take();
    }
    if (piece.length() > buffer.data().capacity()) {
      throw new IOException(
          "a piece has " + piece.length() + " bytes, the largest has " + buffer.data().capacity());
    }
    ByteBuffer into = buffer.window(0, piece.length());
    if (piece.view() != null) {
      task.ownMemory().read(piece, into);
    } else {
      runFile(piece.file()).readFully(into, piece.fileOffset());
    }
    return buffer.window(0, piece.length());
  }

  private PositionFile runFile(Path path) throws IOException {
    if (!path.equals(filePath)) {
      closeFile();
      file = PositionFile.open(path);
      filePath = path;
    }
    return file;
  }

  private FetchException failure(String message, Throwable cause) {
    return new FetchException(peer, task.shuffleId(), block, TRANSPORT, message, cause);
  }

  @Override
  public void closed(Segment of) {
    // The next piece that is asked for is another segment's.
  }

  private void closeFile() throws IOException {
    if (file != null) {
      PositionFile open = file;
      file = null;
      filePath = null;
      open.close();
    }
  }

  @Override
  void close() {
    if (lease != null) {
      lease.close();
      lease = null;
    }
    if (buffer != null) {
      task.buffers().give(buffer);
      buffer = null;
    }
    try {
      closeFile();
    } catch (IOException e) {
      LOG.warn(
          "Closing {} failed; what was read of it is right, check its file system",
          PATH.is(filePath),
          e);
    }
  }
}
