package io.verbena.memory;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;

/**
 * A part of a region that somebody owns, aligned to a cache line. It stays theirs until it is given
 * back to the pool, and it may be used while the pool is held ({@link Pool#hold}).
 */
public final class Extent {
  private final Region region;
  private final int offset;
  private final int length;

  Extent(Region region, int offset, int length) {
    this.region = region;
    this.offset = offset;
    this.length = length;
  }

  Region region() {
    return region;
  }

  /** Id of its region. */
  public int regionId() {
    return region.id();
  }

  /** Bytes from the start of the region. */
  public int offset() {
    return offset;
  }

  /** Bytes. */
  public int length() {
    return length;
  }

  /** Bytes that it takes, whole units. */
  long size() {
    return (long) FreeSpace.units(length) * FreeSpace.UNIT;
  }

  /** File of its region. */
  public Path file() {
    return region.path();
  }

  /** The bytes as memory. What was never written may not be touched. */
  public MemoryView view() {
    return region.memory().slice(offset, length);
  }

  /**
   * Writes bytes into the extent: through the file where that is quicker than touching a mapping.
   *
   * @throws IOException when the backing has no room for them or the thread was interrupted
   */
  public void write(int at, ByteBuffer bytes) throws IOException {
    if (at < 0 || at + (long) bytes.remaining() > length) {
      throw new IndexOutOfBoundsException(
          "index=" + at + " length=" + bytes.remaining() + " capacity=" + length);
    }
    region.write(offset + at, bytes);
  }
}
