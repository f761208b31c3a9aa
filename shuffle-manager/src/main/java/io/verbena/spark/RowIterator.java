package io.verbena.spark;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.NoSuchElementException;
import org.apache.spark.sql.catalyst.expressions.UnsafeRow;
import org.apache.spark.unsafe.Platform;
import scala.Tuple2;
import scala.collection.AbstractIterator;

/**
 * Rows of a stream in the format of {@link RowCodec}. The same row each time, which is a view of a
 * buffer and good until the next row is asked for; asking whether there is one does not touch it.
 *
 * <p>Threads: the task's thread.
 */
final class RowIterator extends AbstractIterator<Tuple2<Object, Object>> {
  private static final int BUFFER_SIZE = 32 << 10;
  private static final VarHandle LENGTH =
      MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.BIG_ENDIAN);

  private final InputStream stream;
  private final UnsafeRow row;
  private final Tuple2<Object, Object> record;

  // The row may lie in either: the other one is filled, with what is left of this one before it.
  private byte[] buffer = new byte[BUFFER_SIZE];
  private byte[] other = new byte[BUFFER_SIZE];
  private int position;
  private int limit;
  private boolean ended;

  RowIterator(InputStream stream, UnsafeRow row) {
    this.stream = stream;
    this.row = row;
    // Spark's own has this key too.
    this.record = new Tuple2<>(0, row);
  }

  @Override
  public boolean hasNext() {
    if (limit - position >= RowCodec.HEADER_SIZE) {
      return true;
    }
    try {
      if (!ended && !fill(RowCodec.HEADER_SIZE)) {
        ended = true;
        stream.close();
      }
    } catch (IOException e) {
      throw Sneaky.sneakyThrow(e);
    }
    return !ended;
  }

  @Override
  public Tuple2<Object, Object> next() {
    if (!hasNext()) {
      throw new NoSuchElementException("no more rows");
    }
    int size = (int) LENGTH.get(buffer, position);
    position += RowCodec.HEADER_SIZE;
    try {
      if (size < 0 || size % Long.BYTES != 0) {
        throw new IOException("A row of " + size + " bytes: rows are multiples of 8");
      }
      if (limit - position < size && !fill(size)) {
        throw truncated(size, 0);
      }
    } catch (IOException e) {
      throw Sneaky.sneakyThrow(e);
    }
    row.pointTo(buffer, Platform.BYTE_ARRAY_OFFSET + position, size);
    position += size;
    return record;
  }

  /** Reads on until there are so many bytes; false when there is not one more. */
  private boolean fill(int wanted) throws IOException {
    int left = limit - position;
    byte[] next = other.length >= wanted ? other : new byte[wanted];
    System.arraycopy(buffer, position, next, 0, left);
    other = buffer;
    buffer = next;
    position = 0;
    limit = left;
    while (limit < wanted) {
      int count = stream.read(buffer, limit, buffer.length - limit);
      if (count < 0 && limit == 0) {
        return false;
      }
      if (count < 0) {
        throw truncated(wanted, limit);
      }
      limit += count;
    }
    return true;
  }

  private static EOFException truncated(int wanted, int had) {
    return new EOFException("The rows end after " + had + " of " + wanted + " bytes");
  }
}
