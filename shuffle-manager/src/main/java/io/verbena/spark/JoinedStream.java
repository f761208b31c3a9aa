package io.verbena.spark;

import io.verbena.fetch.FetchException;
import io.verbena.fetch.FetchedSegment;
import io.verbena.fetch.SegmentIterator;
import java.io.IOException;
import java.util.Objects;

/**
 * The bytes of all segments one after the other, each decoded for itself. To a serializer whose
 * records may be moved this is one stream of all records: it needs no state, no buffer and no
 * exception at the end for every block. The next segment is opened when a byte of it is wanted.
 */
final class JoinedStream extends BlockStream {
  private final SegmentIterator segments;
  private final BlockEncoding encoding;
  private DecodedStream current;
  private FetchException fault;

  /**
   * Begins with a segment that was taken from {@code segments} already; null stands for the end.
   *
   * @param segments remains the caller's, who closes it
   */
  JoinedStream(FetchedSegment first, SegmentIterator segments, BlockEncoding encoding) {
    this.segments = segments;
    this.encoding = encoding;
    this.current = first == null ? null : new DecodedStream(first, encoding);
  }

  @Override
  FetchException fault() {
    return fault;
  }

  @Override
  public int read() throws IOException {
    byte[] one = new byte[1];
    return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
  }

  @Override
  public int read(byte[] bytes, int offset, int length) throws IOException {
    Objects.checkFromIndexSize(offset, length, bytes.length);
    if (fault != null) {
      // What comes after a fault is not what follows the last byte given.
      throw fault;
    }
    if (length == 0) {
      return 0;
    }
    while (current != null) {
      int count = readCurrent(bytes, offset, length);
      if (count >= 0) {
        return count;
      }
      current.close();
      openNext();
    }
    return -1;
  }

  private int readCurrent(byte[] bytes, int offset, int length) throws IOException {
    try {
      return current.read(bytes, offset, length);
    } catch (IOException | RuntimeException e) {
      fault = current.fault();
      throw e;
    }
  }

  private void openNext() throws FetchException {
    try {
      FetchedSegment segment = segments.next();
      current = segment == null ? null : new DecodedStream(segment, encoding);
    } catch (FetchException e) {
      fault = e;
      throw e;
    }
  }

  @Override
  public int available() throws IOException {
    return current == null || fault != null ? 0 : current.available();
  }

  @Override
  public void close() throws IOException {
    if (current != null) {
      current.close();
    }
  }
}
