package io.verbena.memory;

import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Objects;
import java.util.zip.CRC32C;

/**
 * A bounds-checked window on native memory: part of a region, a mapping of a peer's region, or a
 * receive buffer. Offsets and lengths are bytes from the start of the view; multi-byte values are
 * in the machine's byte order (little-endian on every supported machine; readers of a peer's memory
 * refuse another order).
 *
 * <p>A view does not own its memory and cannot free it. Its maker says how long it may be used;
 * whoever keeps one longer must hold what keeps the memory alive (an extent's reference, a lease).
 *
 * <p>Checks are on unless the JVM was started with {@code -Dverbena.bounds.checks=false}, read
 * once.
 *
 * <p>Threads: a view is immutable; the memory behind it follows the rules of its layout.
 */
public final class MemoryView {
  /** System property that switches bounds checks off with the value {@code false}. */
  public static final String BOUNDS_CHECKS_PROPERTY = "verbena.bounds.checks";

  private static final boolean CHECK =
      !"false".equals(System.getProperty(BOUNDS_CHECKS_PROPERTY, "true"));

  private final long address;
  private final int capacity;
  // Keeps the buffer's memory reachable and serves channels, checksums and codecs.
  private final ByteBuffer buffer;

  private MemoryView(ByteBuffer buffer) {
    this.buffer = buffer;
    this.address = Raw.addressOf(buffer);
    this.capacity = buffer.capacity();
  }

  /** A view of the whole of a direct buffer (from 0 to its capacity). */
  public static MemoryView of(ByteBuffer direct) {
    return new MemoryView(
        direct.duplicate().clear().slice().order(ByteOrder.nativeOrder()), Raw.addressOf(direct));
  }

  private MemoryView(ByteBuffer whole, long address) {
    this.buffer = whole;
    this.address = address;
    this.capacity = whole.capacity();
  }

  /** Length of the view in bytes. */
  public int capacity() {
    return capacity;
  }

  /**
   * Where the view begins, for devices that read and write memory by its address: the {@code verbs}
   * transport alone asks. The memory must outlive its use by the device.
   */
  public long address() {
    return address;
  }

  /** A window on {@code length} bytes from {@code offset}. */
  public MemoryView slice(int offset, int length) {
    check(offset, length);
    return new MemoryView(buffer.slice(offset, length).order(ByteOrder.nativeOrder()));
  }

  /** The same bytes as a direct buffer, position 0, limit {@code length}; shares memory. */
  public ByteBuffer buffer(int offset, int length) {
    check(offset, length);
    return buffer.slice(offset, length).order(ByteOrder.nativeOrder());
  }

  public byte getByte(int offset) {
    check(offset, Byte.BYTES);
    return Raw.getByte(address + offset);
  }

  public void putByte(int offset, byte value) {
    check(offset, Byte.BYTES);
    Raw.putByte(address + offset, value);
  }

  public int getInt(int offset) {
    check(offset, Integer.BYTES);
    return Raw.getInt(address + offset);
  }

  public void putInt(int offset, int value) {
    check(offset, Integer.BYTES);
    Raw.putInt(address + offset, value);
  }

  public long getLong(int offset) {
    check(offset, Long.BYTES);
    return Raw.getLong(address + offset);
  }

  public void putLong(int offset, long value) {
    check(offset, Long.BYTES);
    Raw.putLong(address + offset, value);
  }

  /** Loads an aligned long; no later load or store moves before it. */
  public long getLongAcquire(int offset) {
    checkAligned(offset);
    long value = Raw.getLong(address + offset);
    VarHandle.acquireFence();
    return value;
  }

  /** Stores an aligned long; no earlier load or store moves behind it. */
  public void putLongRelease(int offset, long value) {
    checkAligned(offset);
    VarHandle.releaseFence();
    Raw.putLong(address + offset, value);
  }

  /** Copies {@code length} bytes from this view into a heap array. */
  public void getBytes(int offset, byte[] to, int toOffset, int length) {
    check(offset, length);
    Objects.checkFromIndexSize(toOffset, length, to.length);
    Raw.copy(null, address + offset, to, Raw.BYTE_ARRAY_OFFSET + toOffset, length);
  }

  /** Copies {@code length} bytes from a heap array into this view. */
  public void putBytes(int offset, byte[] from, int fromOffset, int length) {
    check(offset, length);
    Objects.checkFromIndexSize(fromOffset, length, from.length);
    Raw.copy(from, Raw.BYTE_ARRAY_OFFSET + fromOffset, null, address + offset, length);
  }

  /** Copies {@code length} bytes from another view, which must not overlap this one. */
  public void putView(int offset, MemoryView from, int fromOffset, int length) {
    check(offset, length);
    from.check(fromOffset, length);
    Raw.copy(null, from.address + fromOffset, null, address + offset, length);
  }

  /**
   * Copies from memory in the coordinates of {@code sun.misc.Unsafe}: an offset in a heap object,
   * or an address when {@code base} is null. The source cannot be checked here: the caller owns it
   * and vouches for it (Spark's memory pages come this way).
   */
  public void putFromPage(int offset, Object base, long baseOffset, int length) {
    check(offset, length);
    Raw.copy(base, baseOffset, null, address + offset, length);
  }

  /** Fills {@code length} bytes with zero. */
  public void zero(int offset, int length) {
    check(offset, length);
    Raw.fill(address + offset, length, (byte) 0);
  }

  /** CRC32C of {@code length} bytes from {@code offset}. */
  public int crc32c(int offset, int length) {
    CRC32C crc = new CRC32C();
    crc.update(buffer(offset, length));
    return (int) crc.getValue();
  }

  private void checkAligned(int offset) {
    check(offset, Long.BYTES);
    if (CHECK && ((address + offset) & (Long.BYTES - 1)) != 0) {
      throw new IndexOutOfBoundsException(
          "index=" + offset + " is not aligned to " + Long.BYTES + " bytes");
    }
  }

  private void check(int offset, int length) {
    if (CHECK) {
      // In long arithmetic, so that no sum overflows into the valid range.
      if (offset < 0 || length < 0 || (long) offset + length > capacity) {
        throw new IndexOutOfBoundsException(
            "index=" + offset + " length=" + length + " capacity=" + capacity);
      }
    }
  }

  @Override
  public String toString() {
    return "MemoryView[capacity=" + capacity + "]";
  }
}
