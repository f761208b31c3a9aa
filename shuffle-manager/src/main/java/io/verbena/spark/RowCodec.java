package io.verbena.spark;

import java.io.InputStream;
import org.apache.spark.sql.catalyst.expressions.UnsafeRow;
import org.apache.spark.unsafe.Platform;
import org.apache.spark.util.AccumulatorV2;
import scala.Tuple2;
import scala.collection.Iterator;

/**
 * Rows of Spark SQL in the format of Spark's serializer for them: length (4 bytes, big-endian) and
 * bytes of each row, nothing of the key. Without the streams around it, which take a lock for every
 * byte of a length.
 */
final class RowCodec implements RecordCodec {
  /** Bytes of a row's length. */
  static final int HEADER_SIZE = Integer.BYTES;

  private final int fields;
  private final AccumulatorV2<Object, ?> dataSize;

  /**
   * A codec for rows of so many fields.
   *
   * @param dataSize SQL metric that counts the bytes of rows; null where nobody wants it
   */
  @SuppressWarnings("unchecked")
  RowCodec(int fields, AccumulatorV2<?, ?> dataSize) {
    this.fields = fields;
    // Of longs, which Scala's signature does not say.
    this.dataSize = (AccumulatorV2<Object, ?>) dataSize;
  }

  @Override
  public Encoder encoder(GrowingBuffer buffer) {
    return (key, value) -> {
      UnsafeRow row = (UnsafeRow) value;
      int size = row.getSizeInBytes();
      if (dataSize != null) {
        dataSize.add((long) size);
      }
      buffer.reset();
      buffer.writeInt(size);
      int at = buffer.skip(size);
      row.writeToMemory(buffer.array(), Platform.BYTE_ARRAY_OFFSET + at);
    };
  }

  @Override
  public Iterator<Tuple2<Object, Object>> records(InputStream stream) {
    return new RowIterator(stream, new UnsafeRow(fields));
  }
}
