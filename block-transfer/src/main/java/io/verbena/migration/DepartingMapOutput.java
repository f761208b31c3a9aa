package io.verbena.migration;

import io.verbena.migration.MigrationFormat.Frame;
import io.verbena.migration.MigrationFormat.Header;
import io.verbena.store.LocalSegment;
import io.verbena.store.ShuffleLease;
import io.verbena.transport.PositionFile;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.file.Path;

/**
 * A map output of this process in the form in which it travels, made while it is read: it never
 * takes more memory than one piece. The bytes come as a stream or, without a copy where they lie in
 * huge pages, as buffers. They are not checked here: the store that takes them does.
 *
 * <p>Threads: one at a time.
 */
public final class DepartingMapOutput extends InputStream {
  private final ShuffleLease lease;
  private final Header header;
  private final Cursor cursor;
  private final ByteBuffer head = ByteBuffer.allocate(MigrationFormat.HEADER_SIZE);

  private ByteBuffer current = head;
  private LocalSegment.Piece piece;
  private long frames;
  private ByteBuffer buffer = ByteBuffer.allocate(0);
  private PositionFile file;
  private Path filePath;

  /**
   * Begins to read.
   *
   * @param lease on the shuffle; belongs to this object, also when an exception is thrown
   * @throws IOException when the map output was not published here, or its location table is broken
   */
  public DepartingMapOutput(ShuffleLease lease, int shuffleId, long mapId) throws IOException {
    this.lease = lease;
    try {
      this.header = header(lease, shuffleId, mapId);
    } catch (IOException | RuntimeException e) {
      lease.close();
      throw e;
    }
    this.cursor = new Cursor(lease, mapId);
    header.put(head);
    head.flip();
  }

  /**
   * Bytes of a map output of this process on its way; reads none of them.
   *
   * @throws IOException when it was not published here, or its location table is broken
   */
  public static long size(ShuffleLease lease, int shuffleId, long mapId) throws IOException {
    return header(lease, shuffleId, mapId).size();
  }

  private static Header header(ShuffleLease lease, int shuffleId, long mapId) throws IOException {
    Cursor cursor = new Cursor(lease, mapId);
    if (cursor.runs == 0) {
      throw new IOException("map " + mapId + " of shuffle " + shuffleId + " is not here");
    }
    long frames = 0;
    long bytes = 0;
    for (LocalSegment.Piece next = cursor.next(); next != null; next = cursor.next()) {
      frames++;
      bytes += next.length();
    }
    return new Header(shuffleId, lease.partitions(), mapId, cursor.runs, frames, bytes);
  }

  /** Goes through the pieces of a map output in the order in which they travel. */
  private static final class Cursor {
    private final ShuffleLease lease;
    private final long mapId;
    private final int runs;
    private int run;
    private int partition = -1;
    private LocalSegment segment;
    private int piece;

    Cursor(ShuffleLease lease, long mapId) {
      this.lease = lease;
      this.mapId = mapId;
      this.runs = lease.runs(mapId);
    }

    /** The next piece; null after the last. */
    LocalSegment.Piece next() throws IOException {
      while (segment == null || piece == segment.pieces().size()) {
        if (++partition == lease.partitions()) {
          partition = 0;
          run++;
        }
        if (run == runs) {
          return null;
        }
        segment = lease.segment(mapId, run, partition);
        piece = 0;
      }
      return segment.pieces().get(piece++);
    }

    Frame frame(LocalSegment.Piece of) {
      return new Frame(run, partition, segment.flags(), of.length(), of.crc());
    }
  }

  /** Bytes of the whole map output on its way. */
  public long size() {
    return header.size();
  }

  /**
   * The bytes that come next. What the caller leaves in the buffer comes again; an empty buffer is
   * the end. Valid until the next call.
   */
  public ByteBuffer bytes() throws IOException {
    if (!current.hasRemaining()) {
      if (piece != null) {
        current = bytes(piece);
        piece = null;
      } else if (frames < header.frames()) {
        piece = cursor.next();
        head.clear();
        cursor.frame(piece).put(head, frames++);
        current = head.flip();
      }
    }
    return current;
  }

  private ByteBuffer bytes(LocalSegment.Piece of) throws IOException {
    if (of.viewIsQuick()) {
      return of.view().buffer(0, of.length());
    }
    if (buffer.capacity() < of.length()) {
      buffer = ByteBuffer.allocate(of.length());
    }
    buffer.clear().limit(of.length());
    open(of.file()).readFully(buffer, of.fileOffset());
    return buffer.flip();
  }

  private PositionFile open(Path path) throws IOException {
    if (!path.equals(filePath)) {
      closeFile();
      file = PositionFile.open(path);
      filePath = path;
    }
    return file;
  }

  private void closeFile() throws IOException {
    PositionFile open = file;
    file = null;
    filePath = null;
    if (open != null) {
      open.close();
    }
  }

  @Override
  public int read() throws IOException {
    ByteBuffer from = bytes();
    return from.hasRemaining() ? from.get() & 0xff : -1;
  }

  @Override
  public int read(byte[] into, int offset, int length) throws IOException {
    ByteBuffer from = bytes();
    int part = Math.min(length, from.remaining());
    from.get(into, offset, part);
    return part > 0 || length == 0 ? part : -1;
  }

  /** Ends the lease. Idempotent. */
  @Override
  public void close() throws IOException {
    try (lease) {
      closeFile();
    }
  }
}
