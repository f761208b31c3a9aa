package io.verbena.spark;

import io.verbena.fetch.BlockId;
import io.verbena.fetch.FetchException;
import io.verbena.fetch.FetchedSegment;
import io.verbena.fetch.Peer;
import io.verbena.fetch.SegmentIterator;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayDeque;
import java.util.Queue;

/** Segments made up by a test: segment {@code n} is of map output {@code n}. */
final class MadeSegments implements SegmentIterator {
  private static final Peer PEER = new Peer("1", "127.0.0.1", 0);

  private final Queue<Object> left = new ArrayDeque<>();
  private int made;

  /** How many have been given out. */
  int given;

  MadeSegments bytes(byte... bytes) {
    left.add(new Made(made++, new ByteArrayInputStream(bytes), false));
    return this;
  }

  MadeSegments compressed(byte... bytes) {
    left.add(new Made(made++, new ByteArrayInputStream(bytes), true));
    return this;
  }

  /** A segment whose stream fails after some bytes. */
  MadeSegments failing(byte... before) {
    int number = made++;
    InputStream bytes = new ByteArrayInputStream(before);
    left.add(
        new Made(
            number,
            new InputStream() {
              @Override
              public int read() throws IOException {
                int next = bytes.read();
                if (next < 0) {
                  throw fault(number, "later pieces are gone", null);
                }
                return next;
              }

              @Override
              public int read(byte[] into, int offset, int length) throws IOException {
                int next = read();
                into[offset] = (byte) next;
                return 1;
              }
            },
            false));
    return this;
  }

  /** A segment that cannot be had at all. */
  MadeSegments missing() {
    left.add(fault(made++, "the executor is gone", null));
    return this;
  }

  private static FetchException fault(int map, String message, Throwable cause) {
    return new FetchException(PEER, 0, new BlockId(map, map, 3), "shm", message, cause);
  }

  @Override
  public FetchedSegment next() throws FetchException {
    Object next = left.poll();
    if (next instanceof FetchException missing) {
      throw missing;
    }
    given += next == null ? 0 : 1;
    return (FetchedSegment) next;
  }

  @Override
  public void close() {
    left.clear();
  }

  private record Made(int map, InputStream stream, boolean compressed) implements FetchedSegment {
    @Override
    public Peer peer() {
      return PEER;
    }

    @Override
    public BlockId block() {
      return new BlockId(map, map, 3);
    }

    @Override
    public String transport() {
      return "shm";
    }

    @Override
    public boolean encrypted() {
      return false;
    }

    @Override
    public long length() {
      return 0;
    }

    @Override
    public FetchException corrupt(Throwable cause) {
      return fault(map, "nonsense", cause);
    }

    @Override
    public void close() {}
  }
}
