package io.verbena.spark;

import java.io.IOException;
import java.io.InputStream;
import org.apache.spark.serializer.SerializerInstance;
import scala.Tuple2;
import scala.collection.Iterator;

/** How the records of a shuffle become bytes and come back: a serializer's format. */
interface RecordCodec {
  /** Makes the bytes of single records, which may then be moved. */
  @FunctionalInterface
  interface Encoder {
    /** Replaces what the encoder's buffer holds by a record. */
    void encode(Object key, Object value) throws IOException;
  }

  /** An encoder into a buffer that is its own. */
  Encoder encoder(GrowingBuffer buffer);

  /**
   * The records of a stream. Objects may be the same each time, and good until the next one.
   *
   * @throws IOException when the stream's beginning cannot be read
   */
  Iterator<Tuple2<Object, Object>> records(InputStream stream) throws IOException;

  /** The format of a serializer; by code of our own where that is known to be the same. */
  static RecordCodec of(SerializerInstance serializer) {
    return RowFormat.codec(serializer).orElseGet(() -> new SerializerCodec(serializer));
  }
}
