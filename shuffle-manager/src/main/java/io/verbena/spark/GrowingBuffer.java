package io.verbena.spark;

import java.io.OutputStream;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;

/**
 * A growing array that is written as a stream and read without a copy. {@link
 * java.io.ByteArrayOutputStream} takes a lock for every call, of which a record makes several.
 *
 * <p>Threads: one.
 */
final class GrowingBuffer extends OutputStream {
  private static final VarHandle INT =
      MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.BIG_ENDIAN);

  private byte[] array;
  private int size;

  GrowingBuffer(int initialSize) {
    array = new byte[initialSize];
  }

  @Override
  public void write(int value) {
    reserve(1);
    array[size++] = (byte) value;
  }

  @Override
  public void write(byte[] bytes, int offset, int length) {
    reserve(length);
    System.arraycopy(bytes, offset, array, size, length);
    size += length;
  }

  /** Appends four bytes, big-endian. */
  void writeInt(int value) {
    reserve(Integer.BYTES);
    INT.set(array, size, value);
    size += Integer.BYTES;
  }

  /**
   * Appends so many bytes, which the caller writes into the array; they are whatever was there.
   *
   * @return where they begin
   */
  int skip(int length) {
    reserve(length);
    int at = size;
    size += length;
    return at;
  }

  private void reserve(int length) {
    // Compared without a sum, which may be more than an int.
    if (length > array.length - size) {
      array = Arrays.copyOf(array, larger(length));
    }
  }

  private int larger(int length) {
    long wanted = Math.max(2L * array.length, (long) size + length);
    // The largest array that virtual machines grant.
    long granted = Math.min(wanted, Integer.MAX_VALUE - 8);
    if (granted < (long) size + length) {
      throw new OutOfMemoryError("More than " + granted + " serialised bytes in one buffer");
    }
    return (int) granted;
  }

  /** Forgets the bytes and keeps the array. */
  void reset() {
    size = 0;
  }

  /** The array itself; valid until the next write. */
  byte[] array() {
    return array;
  }

  int size() {
    return size;
  }

  /** Bytes of heap taken. */
  int capacity() {
    return array.length;
  }
}
